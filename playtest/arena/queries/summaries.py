"""What plays counted and used, by level: stored sums, and what the journal has beyond them.

So no answer depends on what is stored; `services.summaries` stores sums to keep pages fast.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import batched
from typing import Any, NamedTuple

from django.db.models import Count, F, Max, OuterRef, Q, Subquery

from engine.actions import RESET, UNDO
from engine.turns import GAME_OVER, WIN
from playtest.arena.models import PlaySummary
from playtest.arena.queries.usage import NO_USAGE, Usage, usage_in
from playtest.play.models import AgentNote, Entry

ATTEMPTS_AT_ONCE = 500
_BEYOND_SUMMARY = Q(attempt__play__summary__isnull=True) | Q(seq__gt=F("attempt__play__summary__through_seq"))


class LevelCounts(NamedTuple):
    """Entries of a play on one level: all, undos, resets, completions, the most levels completed after one,
    losses, wins."""

    actions: int = 0
    undos: int = 0
    resets: int = 0
    completions: int = 0
    reached: int = 0
    lost: int = 0
    won: int = 0

    def plus(self, other: "LevelCounts") -> "LevelCounts":
        """Both together."""
        summed = LevelCounts(*(one + two for one, two in zip(self, other, strict=True)))
        return summed._replace(reached=max(self.reached, other.reached))


NO_COUNTS = LevelCounts()


@dataclass
class LevelSum:
    """One level of a play: what was counted and what was used."""

    counts: LevelCounts = NO_COUNTS
    usage: Usage = NO_USAGE

    @property
    def stored(self) -> list[int]:
        """As `PlaySummary.levels` has it."""
        return [*self.counts, *self.usage.numbers]

    @classmethod
    def of(cls, stored: list[int]) -> "LevelSum":
        """From the stored numbers."""
        split = len(LevelCounts._fields)
        return cls(LevelCounts(*stored[:split]), Usage(*stored[split:]))


@dataclass
class PlaySum:
    """A play's levels, by number, and the last entry that is in them (0: none but the opening frame)."""

    levels: dict[int, LevelSum]
    through: int = 0

    def level(self, number: int) -> LevelSum:
        return self.levels.setdefault(number, LevelSum())


def sums(attempts: Iterable[int], *, counts: bool = True, usage: bool = True) -> dict[int, PlaySum]:
    """What each of these attempts (primary keys) counted and used, in the order of levels.

    Without `counts` or `usage`, that part is only what is stored.
    """
    found: dict[int, PlaySum] = {attempt: PlaySum({}) for attempt in attempts}
    for part in batched(found, ATTEMPTS_AT_ONCE):
        stored = PlaySummary.objects.filter(play__attempt__in=part)
        for attempt, through, levels in stored.values_list("play__attempt", "through_seq", "levels"):
            known = {int(level): LevelSum.of(numbers) for level, numbers in levels.items()}
            found[attempt] = PlaySum(known, through)
        if counts:
            _add_counts(part, found)
        if usage:
            _add_usage(part, found, bounded=counts)
    return {attempt: PlaySum(dict(sorted(one.levels.items())), one.through) for attempt, one in found.items()}


def _add_counts(part: tuple[int, ...], found: dict[int, PlaySum]) -> None:
    rows = (
        Entry.objects.filter(_BEYOND_SUMMARY, attempt__in=part, seq__gt=0)  # nobody chose the opening frame
        .values("attempt", "level")
        .annotate(
            actions=Count("pk"),
            undos=Count("pk", filter=Q(action=UNDO)),
            resets=Count("pk", filter=Q(action=RESET)),
            completions=Count("pk", filter=Q(level_completed=True)),
            reached=Max("levels_completed"),
            lost=Count("pk", filter=Q(state=GAME_OVER)),
            won=Count("pk", filter=Q(state=WIN)),
            newest=Max("seq"),
        )
        .order_by()
    )
    for row in rows.values_list("attempt", "level", "newest", *LevelCounts._fields):
        attempt, level, newest, *numbers = row
        one = found[attempt].level(level)
        one.counts = one.counts.plus(LevelCounts(*numbers))
        found[attempt].through = max(found[attempt].through, newest)


def _add_usage(part: tuple[int, ...], found: dict[int, PlaySum], *, bounded: bool) -> None:
    """`bounded`: only of the entries that were counted, as a play can go on meanwhile."""
    for attempt, seq, level, text in _unread_notes(part):
        if bounded and seq > found[attempt].through:
            continue
        if (said := usage_in(text)).actions:
            one = found[attempt].level(level)
            one.usage += said


def _unread_notes(part: tuple[int, ...]) -> Iterator[tuple[Any, ...]]:
    entry = Entry.objects.filter(attempt=OuterRef("attempt"), seq=OuterRef("seq"))
    notes = AgentNote.objects.filter(_BEYOND_SUMMARY, attempt__in=part).exclude(reasoning="")
    with_level = notes.annotate(level=Subquery(entry.values("level")[:1])).order_by("attempt", "seq")
    return with_level.values_list("attempt", "seq", "level", "reasoning").iterator()
