"""The demonstrations: closed rehearsals in every new installation, so that its pages show results.

`manage.py prepare` makes their studies at once. They are played then, or by the process that `make up` runs
beside the server for what its first page does not need; meanwhile staff pages say how far it is.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from playtest.people.models import Participant, Staff, Withdrawal
from playtest.play.models import Attempt, Session, SessionEnd, Study
from playtest.play.sessions.studies import change_study, create_study
from playtest.rules.kinds import Kind
from playtest.serve.deployment import left_to_prepare
from playtest.studio.models import Environment

SEED = 11


@dataclass(frozen=True)
class Demonstration:
    """A rehearsal by its name when it is complete: how many people play at most how many environments."""

    name: str
    kind: Kind
    pool: int
    people: int

    @property
    def unfinished(self) -> str:
        """Its name until it is complete; the next `prepare` plays it again."""
        return f"{self.name} (unfinished)"


INTERACTIVE = Demonstration("Demonstration", Kind.INTERACTIVE, 6, 14)
TASKS = Demonstration("Demonstration of static tasks", Kind.TASK, 12, 14)
ALL = (INTERACTIVE, TASKS)
_NAMES = [name for one in ALL for name in (one.name, one.unfinished)]


def create_studies(pool: list[Environment]) -> None:
    """The studies of the demonstrations, with the first environments of this pool."""
    for one in ALL:
        if played := [each for each in pool if each.kind == one.kind][: one.pool]:
            create_study(None, name=one.unfinished, pool=played, rehearsal=True, open=False)


def unfinished() -> list[tuple[Study, Demonstration]]:
    """The demonstrations that are still to be played, with their studies."""
    studies = {study.name: study for study in Study.objects.filter(rehearsal=True)}
    return [(studies[one.unfinished], one) for one in ALL if one.unfinished in studies]


def make(study: Study, shown: Demonstration, report: Callable[[int], None]) -> None:
    """Rehearses the study from the start, and names it when it is complete. Raises as `rehearse`."""
    # What plays takes long to import, and every server imports this module.
    from playtest.insight.compute.results import bring_up_to_date
    from playtest.rehearsal.program import Program, rehearse
    from playtest.review.services.effort import assess

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
    from playtest.play.sessions.ends import end_session
    from playtest.review.services.withdrawal import withdraw

    for session in Session.objects.filter(study=study, ended_at__isnull=True):
        end_session(session, SessionEnd.ENDED_BY_STAFF)
    left = Participant.objects.filter(sessions__study=study).distinct()
    for person in left.exclude(pk__in=Withdrawal.objects.values("participant")):
        withdraw(person, None)


def progress(_reader: Staff | None, _subject: Any) -> dict[str, Any]:
    """What staff pages say while demonstrations are played: how many of their sessions have ended."""
    if not left_to_prepare().exists() or not unfinished():
        return {}
    withdrawn = Withdrawal.objects.values("participant")
    ended = Session.objects.filter(study__name__in=_NAMES, study__rehearsal=True, ended_at__isnull=False)
    studies = Study.objects.filter(name__in=_NAMES, rehearsal=True).values_list("name", flat=True)
    people = sum(one.people for one in ALL if {one.name, one.unfinished} & set(studies))
    return {"played": ended.exclude(participant__in=withdrawn).count(), "people": people}
