"""What an attempt can be seen side by side with."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from django.db.models import QuerySet

from playtest.play.models import Attempt, Entry
from playtest.play.queries import COUNTED
from playtest.review.queries.exclusions import exclusions
from playtest.studio.models import Version

_OWNER = ("pk", "session", "participant__label")


@dataclass(frozen=True)
class BestRun:
    """The attempt that completed a level with the fewest actions, resets included."""

    level: int
    attempt_id: int
    participant: str
    actions: int


def others_of(attempt: Attempt) -> QuerySet[Attempt]:
    """Every other attempt at the same environment that showed a frame, newest first."""
    return (
        Attempt.objects.filter(environment=attempt.environment_id, first_frame_at__isnull=False)
        .exclude(pk=attempt.pk)
        .select_related("participant", "version")
        .order_by("-assigned_at", "-pk")
    )


def best_runs(version: Version) -> list[BestRun]:
    """The best first run of every level somebody completed, over all counted attempts of real people.

    What reviewers excluded is left out.
    """
    best: dict[int, BestRun] = {}
    for run in _runs(version):
        if run.level not in best or run.actions < best[run.level].actions:
            best[run.level] = run
    return [best[level] for level in sorted(best)]


def _runs(version: Version) -> Iterator[BestRun]:
    """Every level completed on a first run. From one completing action to the next, each counts one."""
    counted = Attempt.objects.filter(
        COUNTED, version=version, participant__simulated=False, session__study__rehearsal=False
    ).values("pk")
    rows = (
        Entry.objects.filter(attempt__in=counted, level_completed=True)
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
