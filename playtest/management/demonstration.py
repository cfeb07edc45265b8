"""The demonstrations: closed rehearsals in every new installation, so that its pages show results."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from playtest.insight.services.results import bring_up_to_date
from playtest.people.models import Participant, Withdrawal
from playtest.play.models import Attempt, Session, SessionEnd, Study
from playtest.play.sessions.services import end_session
from playtest.play.sessions.studies import change_study
from playtest.rehearsal.program import Program, rehearse
from playtest.review.services.effort import assess
from playtest.review.services.withdrawal import withdraw

NAME = "Demonstration"
SEED = 11


@dataclass(frozen=True)
class Demonstration:
    """A rehearsal's name when it is complete, and how many people play."""

    name: str
    people: int


INTERACTIVE = Demonstration(NAME, 14)
TASKS = Demonstration("Demonstration of static tasks", 14)


def make(study: Study, shown: Demonstration, report: Callable[[int], None]) -> None:
    """Rehearses the study from the start, and names it when it is complete. Raises as `rehearse`."""
    _clear(study)
    pool = list(study.pool.all())
    acceptance = replace(study.protocol.acceptance, people=shown.people)
    change_study(study, pool=pool, protocol=replace(study.protocol, acceptance=acceptance), open=True)
    try:
        rehearse(Program(study, people=shown.people, stations=shown.people, seed=SEED), report)
    finally:
        change_study(study, pool=pool, open=False)
    assess(Session.objects.filter(study=study).select_related("study", "protocol"))
    bring_up_to_date(Attempt.objects.filter(session__study=study))
    change_study(study, pool=pool, name=shown.name)


def _clear(study: Study) -> None:
    """Deletes an unfinished rehearsal. The journal permits this only as a withdrawal."""
    for session in Session.objects.filter(study=study, ended_at__isnull=True):
        end_session(session, SessionEnd.ENDED_BY_STAFF)
    left = Participant.objects.filter(sessions__study=study).distinct()
    for person in left.exclude(pk__in=Withdrawal.objects.values("participant")):
        withdraw(person, None)
