"""What repeats in a person's actions whatever the board shows: a fixed order, or two choices alone."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from playtest.rules.attempt import RESET
from playtest.rules.effort.evidence import Act

LONGEST_PERIOD = 12
_SAME_PLACE_CELLS = 3
"""Clicks so many cells apart, in either direction, are at the same place."""
_CLEARLY_MORE = 0.03
"""A longer period must explain this much more, else the shorter one is meant: twice AB is AB."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """So many `actions`, of which the share `alike` equals the one `period` actions before.

    Of several stretches, `period` is that of most actions.
    """

    actions: int
    period: int
    alike: float


def fixed_order(acts: Sequence[Act], stretch: int) -> Pattern | None:
    """How far stretches of so many actions repeat, each what it repeats itself; None where none changes.

    People lose count, and take another pattern when one bores them: an order holds for a while. A reset that
    alone was offered, after a game over, interrupts nothing.
    """
    made = [act for act in acts if act.action != RESET or act.offered != 1 << RESET]
    ends = [*range(stretch, len(made) - stretch + 1, stretch), len(made)]
    found = [each for begin, end in pairwise([0, *ends]) if (each := _one_order(made[begin:end]))]
    if not found:
        return None
    periods: Counter[int] = Counter()
    for each in found:
        periods[each.period] += each.actions
    alike = sum(each.alike * each.actions for each in found) / len(made)
    return Pattern(len(made), periods.most_common(1)[0][0], alike)


def _one_order(made: Sequence[Act]) -> Pattern | None:
    """The period that explains most of these actions; None of those that never change.

    It explains them as far as it does those that differ from the one before: whoever walks along corridors
    goes on in the same direction most of the time, and turns in no fixed order. A reset that a person chose
    interrupts, and so does a new level: who begins afresh with the actions that worked repeats no pattern.
    """
    begins = list(_begins(made))
    turns = {number for number in range(1, len(made)) if not _is_same(made[number - 1], made[number])}
    best: Pattern | None = None
    for period in range(2, LONGEST_PERIOD + 1):
        alike = {
            number
            for number in range(period, len(made))
            if number - period >= begins[number] and _is_same(made[number], made[number - period])
        }
        if later := {number for number in turns if number >= period}:
            share = min(len(alike) / (len(made) - period), len(alike & later) / len(later))
            if best is None or share > best.alike + _CLEARLY_MORE:
                best = Pattern(len(made), period, share)
    return best


def two_choices(acts: Sequence[Act]) -> tuple[int, float] | None:
    """How many actions were chosen, and the share of the two most frequent choices; None without a choice.

    Resets are no choices. There is one where a click was offered, or three other actions.
    """
    chosen = [act for act in acts if act.action != RESET and _may_choose(act.offered)]
    if not chosen:
        return None
    counts: Counter[Act] = Counter()
    for act in chosen:
        counts[next((other for other in counts if _is_same(other, act)), act)] += 1
    return len(chosen), sum(count for _, count in counts.most_common(2)) / len(chosen)


def _begins(acts: Sequence[Act]) -> Iterator[int]:
    """For each action, the place of the first one since the last chosen reset or new level."""
    begin = 0
    for number, (before, act) in enumerate(pairwise([*acts[:1], *acts])):
        if act.action == RESET:
            begin = number + 1
        elif act.level != before.level:
            begin = number
        yield begin


def _is_same(one: Act, other: Act) -> bool:
    if one.action != other.action or one.cell is None or other.cell is None:
        return one.action == other.action
    return max(abs(a - b) for a, b in zip(one.cell, other.cell, strict=True)) <= _SAME_PLACE_CELLS


def _may_choose(offered: int) -> bool:
    click = 1 << 6
    return bool(offered & click) or (offered & ~1 & ~(1 << 7)).bit_count() > 2
