"""The attempts that an attempt can be compared with."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from django.db.models import QuerySet

from playtest.play.models import Attempt, Entry, Study
from playtest.play.sessions.reads import AGENTS, PEOPLE, TASKS, whose
from playtest.review.queries.exclusions import exclusions

MOST_RUNS = 100
_OWNER = ("pk", "session", "participant__label")


@dataclass(frozen=True)
class BestRun:
    """The attempt that completed a level with the fewest actions, resets included."""

    level: int
    attempt_id: int
    participant: str
    actions: int


def others_of(attempt: Attempt) -> QuerySet[Attempt]:
    """People's other attempts at the same environment that showed a frame, newest first."""
    return _shown_beside(attempt).filter(PEOPLE)


def runs_beside(attempt: Attempt, chosen: int | None) -> list[Attempt]:
    """The newest MOST_RUNS other runs of agents at the same environment, and the chosen one."""
    runs = _shown_beside(attempt).filter(AGENTS)
    newest = list(runs[:MOST_RUNS])
    if chosen is None:
        return newest
    return newest + [one for one in runs.filter(pk=chosen) if one not in newest]


def _shown_beside(attempt: Attempt) -> QuerySet[Attempt]:
    played = Attempt.objects.filter(environment=attempt.environment_id, first_frame_at__isnull=False)
    found = played.exclude(pk=attempt.pk).select_related("participant", "version")
    return found.order_by("-assigned_at", "-pk")


def best_runs(attempt: Attempt) -> list[BestRun]:
    """The best first run of every level somebody completed, at the attempt's version.

    As in the baseline (`insight.pages.baseline.report`): of all real people who completed the level, whether
    or not the whole attempt counts, without what reviewers excluded. For an attempt of a rehearsal, or of
    a study from outside, of that study alone.
    """
    study = None if attempt.session_id is None else attempt.session.study
    return best_runs_of(attempt.version_id, study if study and study.stands_alone else None)


def best_runs_of(version_id: int, study: Study | None = None) -> list[BestRun]:
    """The same of a version, of all real people or of those of one study (`play.sessions.reads.whose`)."""
    best: dict[int, BestRun] = {}
    for run in _runs(version_id, study):
        if run.level not in best or run.actions < best[run.level].actions:
            best[run.level] = run
    return [best[level] for level in sorted(best)]


def _runs(version_id: int, study: Study | None) -> Iterator[BestRun]:
    """Every level completed on a first run, with its number of actions; a static task has no levels."""
    people = Attempt.objects.filter(whose(study), ~TASKS, version=version_id)
    rows = (
        Entry.objects.filter(attempt__in=people.values("pk"), level_completed=True)
        .order_by("attempt", "seq")
        .values_list(*(f"attempt__{name}" for name in _OWNER), "seq", "levels_completed")
    )
    excluded = exclusions()
    for (attempt_id, session_id, participant), completing in groupby(rows, key=itemgetter(0, 1, 2)):
        level, entered = 1, 0
        for *_, seq, levels_completed in completing:
            if excluded.of(session_id, attempt_id, seq) is None:
                yield BestRun(level, attempt_id, participant, seq - entered)
            level, entered = levels_completed + 1, seq
