"""Which ways of counting explain that a source counts otherwise than we do."""

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any, NamedTuple

NOT_KNOWN = "not known"


class SourceCounts(NamedTuple):
    """What the last line of a recording counts; None where it does not say.

    `levels` has the actions on each completed level, of one play only; `plays` is how many are on its card.
    """

    actions: int | None
    resets: int | None
    levels_completed: int | None
    levels: dict[int, int]
    plays: int


def likely_reason(ours: int, theirs: int, effects: Mapping[str, int]) -> str:
    """The fewest ways of counting that make theirs of ours, by what each would change; NOT_KNOWN else."""
    changing = [(name, change) for name, change in effects.items() if change]
    for size in range(1, len(changing) + 1):
        for some in combinations(changing, size):
            if ours + sum(change for _, change in some) == theirs:
                return "; ".join(name for name, _ in some)
    return NOT_KNOWN


def source_counts(last_line: object) -> SourceCounts | None:
    """Reads a last line `{won, total_actions, levels_completed, cards: {game: {...}}}`; None if it is none.

    Published ones lack some values, or have null and empty lists for them.
    """
    if not isinstance(last_line, dict):
        return None
    cards = last_line.get("cards")
    first = next(iter(cards.values()), None) if isinstance(cards, dict) else None
    card: dict[str, Any] = first if isinstance(first, dict) else {}
    guids = card.get("guids")
    plays = max(1, len(guids) if isinstance(guids, list) else 1, _number(card, "total_plays") or 1)
    return SourceCounts(
        actions=_first(_total(card.get("actions")), _number(last_line, "total_actions")),
        resets=_total(card.get("resets")), levels_completed=_number(last_line, "levels_completed"),
        levels=_by_level(card.get("actions_by_level")) if plays == 1 else {}, plays=plays,
    )  # fmt: skip


def _first(*values: int | None) -> int | None:
    return next((value for value in values if value is not None), None)


def _number(found: Mapping[str, Any], name: str) -> int | None:
    value = found.get(name)
    return value if isinstance(value, int) else None


def _total(values: object) -> int | None:
    """The sum of a number, or of the numbers of all plays."""
    numbers = values if isinstance(values, list) else [values]
    known = [one for one in numbers if isinstance(one, int)]
    return sum(known) if known else None


def _by_level(values: object) -> dict[int, int]:
    """The actions on each level, of `[level, all actions until then]` for each completed level."""
    found, before = dict[int, int](), 0
    for level, until in sorted(_pairs(values)):
        found[level], before = until - before, until
    return found


def _pairs(values: object) -> Iterable[tuple[int, int]]:
    """Pairs of numbers, however deep in lists they are."""
    if not isinstance(values, list):
        return
    if len(values) == 2 and all(isinstance(one, int) for one in values):
        yield values[0], values[1]
        return
    for one in values:
        yield from _pairs(one)
