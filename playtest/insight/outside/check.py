"""Compares a study from outside with what its source counts: levels with metadata, plays with last lines."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import polars as pl
from django.db.models import Count, Q

from playtest.insight.models import LevelResult
from playtest.insight.scope import Scope
from playtest.insight.tables.results import attempts, completions
from playtest.play.models import Entry, OutsideAttempt, Study
from playtest.rules.attempt import RESET, UNDO
from playtest.rules.baseline import upper_median
from playtest.rules.kinds import Kind
from playtest.rules.results import counted_actions
from playtest.rules.source_counts import NOT_KNOWN, SourceCounts, likely_reason, source_counts
from playtest.studio.models import Version

_FEW = 4
"""An upper median of fewer completers says little."""
_LONG_DAYS = 60
"""Data that reach over more days may be of other people than a baseline that was made in between."""
_FIRST_RESET = {"the first RESET is counted there": 1}


@dataclass(frozen=True, slots=True)
class LevelCheck:
    """A level: who completed it, their upper median, the metadata's number, and why they may differ."""

    version: Version
    level: int
    completers: int
    baseline: int | None
    metadata: int | None
    reason: str

    @property
    def differs(self) -> bool:
        return self.metadata is not None and self.baseline != self.metadata


@dataclass(frozen=True, slots=True)
class CountCheck:
    """A number of a play that its recording's last line has otherwise, and the likely reason."""

    recording: OutsideAttempt
    what: str
    ours: int
    theirs: int
    reason: str


class SourceCheck:
    """Everything that can be compared in one study, as its protocol counts undo."""

    def __init__(self, study: Study) -> None:
        self.scope = Scope(study)
        stored = OutsideAttempt.objects.filter(attempt__session__study=study)
        related = ("attempt__environment", "attempt__version", "attempt__debrief", "attempt__participant")
        self.recordings = list(stored.select_related(*related).order_by("attempt__environment__code", "name"))

    @cached_property
    def levels(self) -> list[LevelCheck]:
        """Every level of every interactive version that was played."""
        scope = self.scope
        completed = completions(attempts(scope), scope)
        undone = (
            pl.col("actions") - pl.col("undos") if scope.undo_counts else pl.col("actions") + pl.col("undos")
        )
        rows = completed.select("environment", "version", "level", "actions", undone.alias("other")).rows()
        actions = defaultdict[object, list[int]](list)
        others = defaultdict[object, list[int]](list)
        anywhere = defaultdict[object, list[int]](list)
        for code, version, level, count, other in rows:
            actions[version, level].append(count)
            others[version, level].append(other)
            anywhere[code, level].append(count)
        played = Version.objects.filter(
            attempts__session__study=scope.study, environment__kind=Kind.INTERACTIVE
        )
        found = []
        for one in played.distinct().select_related("environment").order_by("environment__code", "pk"):
            given = one.metadata.get("baseline_actions") or []
            for level in range(1, one.levels + 1):
                here = actions[one.pk, level]
                ours = upper_median(here) if here else None
                theirs = given[level - 1] if level <= len(given) else None
                known = others[one.pk, level], anywhere[one.environment.code, level]
                reason = "" if theirs is None or ours == theirs else self._why(one, theirs, *known)
                found.append(LevelCheck(one, level, len(here), ours, theirs, reason))
        return found

    def _why(self, version: Version, theirs: int, other: list[int], anywhere: list[int]) -> str:
        if not anywhere:
            return "nobody here completed it"
        if other and upper_median(other) == theirs:
            return f"undo: {'not counted' if self.scope.undo_counts else 'counted'} in the metadata"
        if len(anywhere) > len(other) and upper_median(anywhere) == theirs:
            return "version changed: the metadata count plays of all versions"
        own = [one for one in self.recordings if one.attempt.environment_id == version.environment_id]
        if differing := sum(one.differs_from is not None for one in own):
            return f"{differing} of its recordings do not play as recorded and are left out"
        if len(other) < _FEW:
            return f"too few completed it here: {len(other)}"
        days = [one.attempt.assigned_at for one in own if one.timed]
        reach = (max(days) - min(days)).days if days else 0
        return (
            f"its plays reach over {reach} days: the metadata may be of some"
            if reach > _LONG_DAYS
            else NOT_KNOWN
        )

    @cached_property
    def counts(self) -> list[CountCheck]:
        """Every number that differs from a last line."""
        return [
            CountCheck(one, what, ours, theirs, _reason(one, said, ours, theirs, effects))
            for one, said, undos, resets in self._counted
            for what, ours, theirs, effects in self._numbers(one, said, undos, resets)
            if theirs is not None and theirs != ours
        ]

    @cached_property
    def _counted(self) -> list[tuple[OutsideAttempt, SourceCounts, int, int]]:
        """The recordings with counts in their last line, with their undos and resets as they are here."""
        rows = (
            Entry.objects.filter(attempt__session__study=self.scope.study, seq__gt=0)
            .values("attempt")
            .annotate(undos=Count("pk", filter=Q(action=UNDO)), resets=Count("pk", filter=Q(action=RESET)))
            .order_by()
        )
        own = {
            attempt: (undos, resets)
            for attempt, undos, resets in rows.values_list("attempt", "undos", "resets")
        }
        return [
            (one, said, *own.get(one.attempt_id, (0, 0)))
            for one in self.recordings
            if one.attempt.environment.kind.has_levels and (said := source_counts(one.last_line))
        ]

    @property
    def with_counts(self) -> int:
        return len(self._counted)

    @property
    def that_differ(self) -> int:
        """Recordings with a number that differs."""
        return len({one.recording.pk for one in self.counts})

    @property
    def leaves_undo_out(self) -> bool | None:
        """Whether most last lines leave undo out; None where none shows it. Whatever the protocol says."""
        shown = [(one.attempt.actions, undos, said.actions) for one, said, undos, _ in self._counted if undos]
        out = sum(theirs == actions - undos for actions, undos, theirs in shown)
        counted = sum(theirs == actions for actions, _, theirs in shown)
        return out > counted if out != counted else None

    def _numbers(
        self, one: OutsideAttempt, said: SourceCounts, undos: int, resets: int
    ) -> Iterator[tuple[str, int, int | None, Mapping[str, int]]]:
        """What can be compared: its name, our number and theirs, and what ways of counting would change."""
        attempt, counts = one.attempt, self.scope.undo_counts
        undo = f"undo is {'not counted' if counts else 'counted'} there"
        first = one.full_resets[0] if one.full_resets else attempt.actions + 1
        effects = {
            undo: -undos if counts else undos,
            "actions after a loss or the win are counted there": one.left_out,
            **_FIRST_RESET,
            "two plays: the first is counted there": first - 1 - attempt.actions,
            "two plays: the last is counted there": -first if one.full_resets else 0,
            "resets are not counted there": -resets,
        }
        yield "actions", counted_actions(attempt.actions, undos, undo_counts=counts), said.actions, effects
        yield "resets", resets, said.resets, _FIRST_RESET
        yield "levels completed", attempt.levels_completed, said.levels_completed, {}
        for level, actions, undone in () if one.full_resets else self._by_level[attempt.pk]:
            effects = {undo: -undone if counts else undone, **_FIRST_RESET}
            ours = counted_actions(actions, undone, undo_counts=counts)
            yield f"actions on level {level}", ours, said.levels.get(level), effects

    @cached_property
    def _by_level(self) -> Mapping[int, list[tuple[int, int, int]]]:
        rows = LevelResult.objects.filter(attempt__session__study=self.scope.study, completed=True)
        found = defaultdict[int, list[tuple[int, int, int]]](list)
        for attempt, *numbers in rows.order_by("level").values_list("attempt", "level", "actions", "undos"):
            found[attempt].append((numbers[0], numbers[1], numbers[2]))
        return found

    @property
    def rated(self) -> list[OutsideAttempt]:
        """Recordings with ratings, or with answers to our own questions."""
        return [one for one in self.recordings if one.ratings or hasattr(one.attempt, "debrief")]

    @property
    def rating_names(self) -> list[str]:
        """The names of ratings: "fun", "hard"."""
        return sorted({name for one in self.recordings for name in one.ratings})

    def rating_rows(self) -> Iterable[tuple[OutsideAttempt, list[str], str]]:
        """Each rated recording with its ratings by name, and our own question's answer."""
        for one in self.rated:
            own = getattr(one.attempt, "debrief", None)
            yield one, [one.ratings.get(name, "") for name in self.rating_names], own.step if own else ""


def _reason(
    one: OutsideAttempt, said: SourceCounts, ours: int, theirs: int, effects: Mapping[str, int]
) -> str:
    reason = likely_reason(ours, theirs, effects)
    if reason != NOT_KNOWN:
        return reason
    if one.differs_from is not None:
        return f"version changed: it does not play as recorded from action {one.differs_from} on"
    if said.plays > 1 or one.full_resets:
        return "two plays on one card"
    if theirs > ours:
        return "the recording is cut short, or its source counts more than it recorded"
    return NOT_KNOWN
