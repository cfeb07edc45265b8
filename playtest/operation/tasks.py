"""The daily audit, and the daily erasure of what has been kept for its period."""

import fcntl
import io
import logging
from contextlib import suppress
from datetime import timedelta

from celery import shared_task
from django.conf import settings
from django.core.management import CommandError, call_command

from playtest.jobs import shutdown
from playtest.operation.installation import last
from playtest.operation.models import MaintenanceKind
from playtest.operation.retention.services import apply
from playtest.play.clock import machine_now

_AUDIT_EVERY = timedelta(days=1)

logger = logging.getLogger(__name__)


@shared_task(acks_late=True)  # as in `playtest.studio.tasks`
def audit_if_due() -> None:
    """Audit the record behind people who play, if the last audit is a day old; one at a time on a machine.

    One that a worker's end interrupts begins again with the next call.
    """
    audit = last(MaintenanceKind.AUDIT)
    if audit is not None and machine_now() - audit.ended_at < _AUDIT_EVERY:
        return
    with (
        (settings.DATA_DIR / "audit.lock").open("w") as lock,
        suppress(BlockingIOError, shutdown.Interrupted),
    ):
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        output = io.StringIO()
        try:
            call_command("audit", behind_people=True, stdout=output)
        except CommandError as error:
            logger.error("%s\n%s", error, output.getvalue())


@shared_task
def erase_due() -> None:
    """Erase what leads said is to be kept no longer."""
    for one in apply(machine_now()):
        logger.info("erased %s of %s, kept for %s days", one.number, one.kind, one.days)
