"""Why the plays of a card got no further: read from their journals, beside people at the same point."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

import numpy as np
from django.core.cache import cache
from django.db.models import prefetch_related_objects

from engine.errors import PayloadError
from engine.play.actions import CLICK
from engine.play.frames import Frame, decode_last
from engine.prove.masks import Cells, masked_hash, nothing
from playtest.arena.models import CloseReason, Play
from playtest.arena.scores.card_scores import CardScore, PlayScore
from playtest.arena.scores.comparisons import people_who_count
from playtest.insight.scope import EVERYONE
from playtest.insight.tables.results import levels
from playtest.people.release import computed
from playtest.play.journal.masked import masks_of_attempts
from playtest.play.journal.writer import inflate
from playtest.play.models import Entry
from playtest.rules import run_analysis as rules
from playtest.rules.attempt import Outcome
from playtest.rules.baseline import upper_median
from playtest.rules.results import WIN, ResultEntry
from playtest.studio.models import Version

MOST_ENTRIES = 150_000
"""Of a page, beside what was analysed before: some seconds. Later plays say that they wait."""
_CACHE_SECONDS = 24 * 60 * 60
_FIELDS = (
    "seq", "action", "levels_completed", "level_completed", "state", "changed", "state_hash", "server_time",
    "x", "y", "level", "frames",
)  # fmt: skip

type People = dict[int, list[tuple[int, bool]]]
"""By level: the actions of each of the people who reached it, and whether they completed it."""


@dataclass(frozen=True)
class PlayAnalysis:
    """A play of a version with so many levels. `analysis` is None while it waits.

    `faults` are sentences about what was not the agent's doing, `replay` is the address of its replay,
    `score` is in percent, None where it has none.
    """

    code: str
    levels_in_all: int
    won: bool
    analysis: rules.RunAnalysis | None
    replay: str
    faults: tuple[str, ...] = ()
    people: People = field(default_factory=dict)
    score: float | None = None

    @property
    def failures(self) -> list[tuple[rules.Named, str]]:
        """Each with the address of the actions that show it."""
        found = self.analysis.named if self.analysis else []
        return [(one, f"{self.replay}#action={one.first}") for one in found]

    @property
    def levels(self) -> list[dict[str, Any]]:
        """Each level that was reached, with what people did on it."""
        return [self._level(one) for one in (self.analysis.levels if self.analysis else ())]

    def _level(self, one: rules.LevelAnalysis) -> dict[str, Any]:
        level, people = one.result.level, self.people.get(one.result.level, [])
        completed = [actions for actions, done in people if done]
        return {
            "of": one,
            "href": f"{self.replay}#level={level}",
            "reached": len(people),
            "median": upper_median(completed) if completed else None,
            "by_then": sum(actions <= one.result.actions for actions in completed),
        }


@dataclass(frozen=True)
class CardAnalysis:
    """The plays of a card that count, those that stopped first."""

    plays: tuple[PlayAnalysis, ...]
    least, circle = rules.LEAST_MOVES, rules.LEAST_CIRCLE

    @property
    def most(self) -> tuple[rules.Failure, int] | None:
        """The failure of most plays, and how many."""
        stops = Counter(name for one in self.plays for name in {named.failure for named, _ in one.failures})
        return stops.most_common(1)[0] if stops else None

    @property
    def waiting(self) -> int:
        return sum(one.analysis is None for one in self.plays)

    @property
    def scored(self) -> bool:
        return any(one.score is not None for one in self.plays)

    @property
    def with_people(self) -> bool:
        return any(one.people for one in self.plays)


def analyse_card(
    score: CardScore, replay: Callable[[Play], str], *, with_people: bool = False
) -> CardAnalysis:
    """Why the plays of a card that count got no further; those that won come last.

    `replay` gives the address of a play's replay; without one a play is left out. `with_people` is for staff,
    who see what people did on the same levels; level results of people have to be up to date.
    """
    played = [
        (one, one.best, address)
        for one in score.environments
        if one.best is not None and one.best.counts.actions and (address := replay(one.best.play))
    ]
    prefetch_related_objects([play.play for _, play, _ in played], "attempt")
    masks = masks_of_attempts(play.play.attempt_id for _, play, _ in played)
    people = _people([one.version for one, _, _ in played]) if with_people and played else {}
    left, found = MOST_ENTRIES, list[PlayAnalysis]()
    for one, play, address in played:
        mask = masks.get(play.play.attempt_id)
        key = _key(play, mask, one.baseline.actions)
        analysis: rules.RunAnalysis | None = cache.get(key)
        if analysis is None and play.counts.actions <= left:
            left -= play.counts.actions
            faulted = play.play.attempt.outcome == Outcome.FAULT
            analysis = rules.analyse(
                list(_recorded(play.play.attempt_id, mask)), one.baseline.actions, faulted=faulted
            )
            cache.set(key, analysis, _CACHE_SECONDS)
        found.append(
            PlayAnalysis(
                one.code,
                one.version.levels,
                play.counts.state == WIN,
                analysis,
                address,
                _faults(score, play),
                people.get(one.version.pk, {}),
                None if one.problem else play.score,
            )
        )
    return CardAnalysis(tuple(sorted(found, key=lambda one: one.won)))


def _key(play: PlayScore, mask: Cells | None, baseline: Sequence[int]) -> str:
    attempt, masked = play.play.attempt, None if mask is None else mask.tobytes()
    facts = (play.counts.actions, attempt.outcome, masked, baseline)
    return computed(f"run-analysis:{attempt.pk}:{blake2b(repr(facts).encode(), digest_size=12).hexdigest()}")


def _faults(score: CardScore, play: PlayScore) -> tuple[str, ...]:
    attempt, why = play.play.attempt, score.card.close_reason
    if attempt.outcome == Outcome.FAULT:
        return (f"The environment failed: {attempt.fault_message or attempt.fault_code}",)
    if attempt.outcome == Outcome.CARD_CLOSED and why in (CloseReason.IDLE, CloseReason.TOO_OLD):
        return (f"Nothing more was asked, and the card closed: {CloseReason(why).label}.",)
    return ()


def _recorded(attempt: int, mask: Cells | None) -> Iterator[rules.Move]:
    """Up to an entry with damaged frames, which the check of the attempt explains."""
    found = Entry.objects.filter(attempt=attempt).order_by("seq").values_list(*_FIELDS).iterator()
    rows = ((ResultEntry._make(row[:8]), row[8], row[9], row[10], inflate(row[11])) for row in found)
    try:
        yield from moves_of(rows, mask)
    except PayloadError:
        return


def moves_of(
    rows: Iterable[tuple[ResultEntry, int | None, int | None, int, bytes]], mask: Cells | None
) -> Iterator[rules.Move]:
    """The moves of entries with the cell clicked, the level, and the payload of their frames.

    States are named anew without the masked cells. Ends before damaged frames.
    """
    frame: Frame | None = None
    named = b""
    for entry, x, y, level, payload in rows:
        before = frame
        try:
            frame = decode_last(payload, before)
        except PayloadError:
            return
        if frame is None:
            return
        if mask is not None:
            stated = masked_hash(frame, mask, level, entry.levels_completed, entry.state)
            entry = entry._replace(changed=stated != named, state_hash=stated)
            named = stated
        if entry.action != CLICK or before is None or x is None or y is None:
            yield rules.Move(entry, (entry.action, None))
            continue
        colour = int(before[y, x])
        shown = before[~(nothing() if mask is None else mask)]
        commonest = int(np.bincount(shown, minlength=16).argmax())
        yield rules.Move(entry, (entry.action, colour), colour == commonest)


def _people(versions: Collection[Version]) -> dict[int, People]:
    """Of each version, those who count in `people_scores` on every level that they reached."""
    found: dict[int, People] = defaultdict(lambda: defaultdict(list))
    rows = levels(people_who_count(versions), EVERYONE)
    for version, level, actions, completed in rows.select(
        "version", "level", "actions", "completed"
    ).iter_rows():
        found[version][level].append((actions, completed))
    return found
