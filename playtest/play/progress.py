"""How far a study has come: reads for its page."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from playtest.play.models import Attempt, Session, Study
from playtest.play.queries import candidates
from playtest.rules.attempt import Outcome
from playtest.studio.models import Environment


@dataclass(frozen=True)
class PoolProgress:
    """One environment of the pool: people counted, playing now, and done with all levels."""

    environment: Environment
    counted: int
    in_progress: int
    completed: int


@dataclass(frozen=True)
class StudyTotals:
    """A study in numbers: people who checked in, their sessions and attempts, hours of interaction."""

    people: int
    sessions: int
    attempts: int
    hours: float


def pool_progress(study: Study) -> list[PoolProgress]:
    """The pool in the order of ids, counted by the rule that assigns environments."""
    people = {candidate.environment: candidate for candidate in candidates(study)}
    completed = dict(
        _attempts(study).filter(outcome=Outcome.COMPLETED).values_list("environment_id").annotate(Count("pk"))
    )
    return [
        PoolProgress(
            environment,
            people[environment.pk].counted,
            people[environment.pk].in_progress,
            completed.get(environment.pk, 0),
        )
        for environment in study.pool.filter(pk__in=people)
    ]


def totals(study: Study) -> StudyTotals:
    """Simulated people are left out unless the study is a rehearsal."""
    sessions = Session.objects.filter(_real(study), study=study, checked_in_at__isnull=False)
    seats = sessions.aggregate(people=Count("participant", distinct=True), sessions=Count("pk"))
    attempts = list(_attempts(study).filter(first_frame_at__isnull=False))
    return StudyTotals(**seats, attempts=len(attempts), hours=_hours(attempts))


def _hours(attempts: Iterable[Attempt]) -> float:
    return sum(attempt.seconds for attempt in attempts) / 3600


def _attempts(study: Study) -> QuerySet[Attempt]:
    return Attempt.objects.filter(_real(study), session__study=study)


def _real(study: Study) -> Q:
    return Q() if study.rehearsal else Q(participant__simulated=False)
