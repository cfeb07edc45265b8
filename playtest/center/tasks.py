"""Celery tasks of the center: pay is posted later where it failed, and messages are sent."""

import logging

from celery import shared_task

from playtest.center.pay.accounts import unposted
from playtest.center.pay.services import post_session
from playtest.center.schedule.messages import requeue_stalled, send_message
from playtest.play.models import Session

logger = logging.getLogger(__name__)

MOST_AT_ONCE = 500

__all__ = ["post_missing", "requeue_stalled", "send_message"]


@shared_task
def post_missing() -> None:
    """Posts the pay of ended sessions that have none; safe beside sessions that end meanwhile."""
    for session in Session.objects.filter(unposted()).order_by("pk")[:MOST_AT_ONCE]:
        try:
            post_session(session)
        except Exception:  # the others are still posted; this one is tried again at the next call
            logger.exception("The pay of session %s could not be posted. (pay_not_posted)", session.pk)
