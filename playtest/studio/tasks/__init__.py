"""Work for Celery: one module a concern, imported here for the worker to find."""

from playtest.studio.tasks import explorations, qualifications

__all__ = ["explorations", "qualifications"]
