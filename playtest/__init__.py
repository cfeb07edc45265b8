"""Playtest: the software of a human testing center."""

from playtest.celery import app as celery_app

__all__ = ["celery_app"]
