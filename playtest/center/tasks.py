"""Celery tasks of the center, imported here so that the worker finds them."""

from playtest.center.pay import tasks as pay

__all__ = ["pay"]
