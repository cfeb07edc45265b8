"""Celery task: posts the pay of ended sessions that have none, because posting failed or is new here."""

import logging

from celery import shared_task

from playtest.center.pay.queries.check import unposted
from playtest.center.pay.services.posting import post_session
from playtest.play.models import Session

logger = logging.getLogger(__name__)

MOST_AT_ONCE = 500


@shared_task
def post_missing() -> None:
    """Idempotent, and safe beside sessions that end meanwhile."""
    for session in Session.objects.filter(unposted()).order_by("pk")[:MOST_AT_ONCE]:
        try:
            post_session(session)
        except Exception:  # the others are still posted; this one is tried again at the next call
            logger.exception("The pay of session %s could not be posted. (pay_not_posted)", session.pk)
