"""Tasks of Celery: what workers do of the studio's jobs, and what they do again whose worker is gone.

Long ones are acknowledged when they are done: a worker reserves none meanwhile that an idle one could do.
"""

from celery import shared_task
from django.utils import timezone

from playtest.studio.models import Exploration, QualificationPart
from playtest.studio.queries.turns import Waiting, in_turn
from playtest.studio.services import explorations, imports, likeness, qualifications, random_plays


@shared_task(acks_late=True)
def do_import(import_id: int) -> None:
    """Does one import; nothing happens unless it waits."""
    imports.do_import(import_id, do_import.delay)


@shared_task(acks_late=True)
def do_part(part_id: int) -> None:
    """A part of a qualification waits: does the job whose turn it is."""
    _take_turn()


@shared_task(acks_late=True)
def do_exploration(exploration_id: int) -> None:
    """An exploration waits: does the job whose turn it is."""
    _take_turn()


@shared_task(acks_late=True)
def do_play(play_id: int) -> None:
    """Random play waits: does the job whose turn it is."""
    _take_turn()


def _take_turn() -> None:
    """Does one job; nothing happens if none waits."""
    while waiting := in_turn():
        if _do(waiting[0]):
            return


def _do(job: Waiting) -> bool:
    """Whether the job was still to be done."""
    if job.model is QualificationPart:
        return qualifications.do_part(job.key, do_part.delay)
    if job.model is Exploration:
        return explorations.do_exploration(job.key, enqueue=do_exploration.delay)
    return random_plays.do_play(job.key, do_play.delay)


@shared_task(acks_late=True)
def measure_pairs() -> None:
    """Measures how alike current versions are, where that is not known."""
    likeness.measure_pairs()


@shared_task
def requeue_stalled() -> None:
    """Enqueues the jobs of each kind whose worker is gone."""
    moment = timezone.now()
    imports.requeue_stalled(moment, do_import.delay)
    qualifications.requeue_stalled(moment, do_part.delay)
    explorations.requeue_stalled(moment, do_exploration.delay)
    random_plays.requeue_stalled(moment, do_play.delay)
