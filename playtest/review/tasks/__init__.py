"""Work for Celery: one module a concern, imported here for the worker to find."""

from playtest.review.tasks import effort, exports

__all__ = ["effort", "exports"]
