"""Celery tasks, imported here so that the worker finds them."""

from playtest.review.tasks import effort, exports

__all__ = ["effort", "exports"]
