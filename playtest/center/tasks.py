"""Celery tasks of the center, imported here so that the worker finds them."""

from playtest.center.pay import tasks as pay
from playtest.center.schedule import tasks as schedule

__all__ = ["pay", "schedule"]
