"""Celery tasks: send messages, and requeue those whose worker ended."""

from datetime import timedelta

from celery import shared_task
from django.utils import timezone

from playtest.center.schedule.models import Message
from playtest.center.schedule.services.messages import send
from playtest.jobs import lifecycle
from playtest.jobs.queue import Queue

_SILENCE = timedelta(minutes=2)


@shared_task
def send_message(key: int) -> None:
    send(key)


def enqueue(key: int) -> None:
    """Tells the workers of a message; one that cannot be told waits until it is requeued."""
    Queue(send_message)(key)


@shared_task
def requeue_stalled() -> None:
    """Enqueues messages whose worker ended, and those that no worker knows of."""
    lifecycle.requeue_stalled(Message.objects.all(), timezone.now(), _SILENCE, enqueue)
