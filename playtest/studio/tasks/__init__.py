"""Work for Celery: one module a concern, imported here for the worker to find."""

from celery.signals import worker_shutting_down

from playtest.studio.services.interruption import ending
from playtest.studio.tasks import explorations, imports, qualifications

__all__ = ["explorations", "imports", "qualifications"]


@worker_shutting_down.connect
def give_back(**_: object) -> None:
    """What takes long is not waited for."""
    ending.set()
