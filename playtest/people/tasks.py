"""What is purged daily: sign-ins that have expired, and the log of tries to sign in after thirty days."""

from datetime import timedelta

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from celery import shared_task
from django.core.management import call_command
from django.utils import timezone

ACCESS_LOG_KEPT = timedelta(days=30)


@shared_task
def purge() -> None:
    """Deletes them; neither is of the record."""
    call_command("clearsessions")
    oldest = timezone.now() - ACCESS_LOG_KEPT
    for model in (AccessAttempt, AccessFailureLog, AccessLog):
        model.objects.filter(attempt_time__lt=oldest).delete()
