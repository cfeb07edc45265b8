"""What plays counted and used, by level: stored sums, and what the journal has beyond them; who played.

So no answer depends on what is stored; sums are stored to keep pages fast. Levels are counted as arc_agi's
scorecards count them.
"""

import uuid
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import batched
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Count, F, Max, OuterRef, Q, QuerySet, Subquery

from engine.play.actions import RESET, UNDO
from engine.play.turns import GAME_OVER, NOT_FINISHED, WIN
from playtest.arena.models import Play, PlaySummary, Run, Scorecard
from playtest.arena.runs.usage import NO_USAGE, Usage, usage_in
from playtest.play.models import AgentNote, Attempt, Entry
from playtest.rules.results import counted_actions

ATTEMPTS_AT_ONCE = 500
_BEYOND_SUMMARY = Q(attempt__play__summary__isnull=True) | Q(seq__gt=F("attempt__play__summary__through_seq"))
_UP_TO_DATE = Q(attempt__ended_at__isnull=False, summary__through_seq=F("attempt__actions"))


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

    @property
    def usage(self) -> Usage:
        return sum((one.usage for one in self.levels.values()), NO_USAGE)


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


@dataclass(frozen=True, slots=True)
class LevelCount:
    """One level of a play: its `actions`, each RESET being one of them, and how many of these were resets."""

    level: int
    actions: int
    resets: int
    completed: bool


@dataclass(frozen=True, slots=True)
class PlayCounts:
    """A play of a run. `levels` are those with an action, in order.

    `actions_by_level` has, for each action that completed a level, the levels completed and all actions of
    the play until then. `state` is the scorecard's: GAME_OVER stays until WIN, also after a level reset.
    """

    actions: int = 0
    resets: int = 0
    levels_completed: int = 0
    state: str = NOT_FINISHED
    actions_by_level: tuple[tuple[int, int], ...] = ()
    levels: tuple[LevelCount, ...] = ()

    def level(self, number: int) -> LevelCount:
        """The count of a level, from 1; of one without actions all zeros."""
        return next(
            (count for count in self.levels if count.level == number), LevelCount(number, 0, 0, False)
        )


def play_counts(attempts: Iterable[int], *, undo_counts: bool = True) -> dict[int, PlayCounts]:
    """The counts of runs' attempts (primary keys); one without any action is among them, with zeros.

    Without `undo_counts`, an undo (ACTION7) is no action; it was for most cards of the human data set.
    """
    found = sums(attempts, usage=False)
    return {attempt: _counts(one, undo_counts) for attempt, one in found.items()}


def counts_and_usage(
    attempts: Iterable[int], *, undo_counts: bool = True
) -> dict[int, tuple[PlayCounts, Usage]]:
    """The same with what each used; NO_USAGE if its actions say nothing."""
    return {attempt: (_counts(one, undo_counts), one.usage) for attempt, one in sums(attempts).items()}


def _counts(play: PlaySum, undo_counts: bool) -> PlayCounts:
    """The counts of one play from the sums of its levels."""
    actions, by_level, levels = 0, list[tuple[int, int]](), list[LevelCount]()
    counted = {number: one.counts for number, one in play.levels.items() if one.counts.actions}
    for number, one in counted.items():
        taken = counted_actions(one.actions, one.undos, undo_counts=undo_counts)
        actions += taken
        levels.append(LevelCount(number, taken, one.resets, bool(one.completions)))
        if one.completions:
            by_level.append((one.reached, actions))
    return PlayCounts(
        actions=actions,
        resets=sum(one.resets for one in counted.values()),
        levels_completed=max((one.reached for one in counted.values()), default=0),
        state=_state(counted.values()),
        actions_by_level=tuple(by_level),
        levels=tuple(levels),
    )


def _state(levels: Iterable[LevelCounts]) -> str:
    levels = list(levels)
    if any(one.won for one in levels):
        return WIN
    return GAME_OVER if any(one.lost for one in levels) else NOT_FINISHED


def summarise_cards(cards: Iterable[Scorecard]) -> int:
    """Brings up to date the summaries of the plays on these cards; returns how many were not."""
    return summarise(Play.objects.filter(run__card__in=[card.pk for card in cards]))


def summarise(plays: QuerySet[Play]) -> int:
    """Brings up to date the summaries of these plays; returns how many were not.

    Only what is new in a play is read. Several processes may do this at once.
    """
    stale = plays.exclude(_UP_TO_DATE).filter(attempt__entries__seq=1).order_by("pk")
    found = list(stale.values_list("pk", "attempt", "summary__through_seq"))
    for part in batched(found, ATTEMPTS_AT_ONCE):
        _store(part)
    return len(found)


def rebuild_summaries(attempts: QuerySet[Attempt]) -> str:
    """Deletes the summaries of these attempts' plays and computes them again; says how many."""
    plays = Play.objects.filter(attempt__in=attempts)
    PlaySummary.objects.filter(play__in=plays).delete()
    return f"{summarise(plays)} summaries of agents' plays computed"


def _store(part: Iterable[tuple[int, int, int | None]]) -> None:
    """Stores sums, unless another process has stored later ones of the play meanwhile."""
    part = list(part)
    summed = sums(attempt for _, attempt, _ in part)
    missing = []
    with transaction.atomic():
        for play, attempt, through in part:
            levels = {str(level): one.stored for level, one in summed[attempt].levels.items()}
            new = PlaySummary(play_id=play, through_seq=summed[attempt].through, levels=levels)
            if through is None:
                missing.append(new)
            else:
                earlier = PlaySummary.objects.filter(play=play, through_seq__lt=new.through_seq)
                earlier.update(through_seq=new.through_seq, levels=levels)
        PlaySummary.objects.bulk_create(missing, ignore_conflicts=True)


NOTES_A_BLOCK = 64
"""Notes are sent in blocks of so many actions: each has at most 16 KiB of reasoning."""


def usage_of(attempts: Iterable[int]) -> dict[int, Usage]:
    """What each of these attempts (primary keys) used in all; NO_USAGE if its actions say nothing."""
    return {attempt: one.usage for attempt, one in sums(attempts, counts=False).items()}


def agent_names(attempts: Collection[int]) -> dict[int, str]:
    """The name of the key that played each run, by attempt."""
    rows = Play.objects.filter(attempt__in=attempts).values_list("attempt", "run__card__key__name")
    return dict(rows)


def run_with_guid(guid: str) -> Run | None:
    """The run with this guid, written as it was told, with its card, environment and version."""
    try:
        value = uuid.UUID(guid)
    except ValueError:
        return None
    run = Run.objects.select_related("card", "environment", "version").filter(guid=value).first()
    return run if run is not None and str(run.guid) == guid else None


def notes_of_block(attempt: Attempt, block: int) -> list[tuple[int, str]]:
    """The seq and reasoning of each note of a block: actions 0 to 63, 64 to 127, and so on."""
    first = block * NOTES_A_BLOCK
    found = AgentNote.objects.filter(attempt=attempt, seq__gte=first, seq__lt=first + NOTES_A_BLOCK)
    return list(found.exclude(reasoning="").order_by("seq").values_list("seq", "reasoning"))
