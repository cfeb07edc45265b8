"""Work for Celery: one module a concern, imported here for the worker to find."""

from playtest.studio.tasks import explorations, imports, qualifications, random_plays

__all__ = ["explorations", "imports", "qualifications", "random_plays"]
