"""Tasks of Celery; imported here, so that workers find them."""

from playtest.studio.tasks import explorations, imports, qualifications, random_plays

__all__ = ["explorations", "imports", "qualifications", "random_plays"]
