"""The human baseline of a level (report 4.2): the upper median of its completers' action counts."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from playtest.rules.errors import RuleError

RULE_VERSION = "baseline-1"
"""Names how a baseline comes about: the upper median, over everyone real who completed the level on a first
run and is not excluded, of the actions from entering it to completing it, resets included, undo as the
protocol says (all studies together: counted). Every release names it; any change of what goes in, or of what
is made of it, is a new version.
"""


@dataclass(frozen=True, slots=True)
class LevelBaseline:
    """What is known of a level from those who completed it on a first run and are not excluded.

    `actions` holds their counts, ascending. A level nobody completed has no `upper_median` and no `best`.
    """

    completers: int
    upper_median: int | None
    best: int | None
    actions: tuple[int, ...]


def upper_median(values: Iterable[int]) -> int:
    """The middle value, the larger of two: ascending, index n // 2 (of four the 3rd, of five the 3rd).

    Raises RuleError `no_values` when there are none.
    """
    ascending = sorted(values)
    if not ascending:
        raise RuleError("no_values", "There is no median of no values; wait for the first completion.")
    return ascending[len(ascending) // 2]


class Fewest(NamedTuple):
    """The fewest actions known for a level; `proven` when a search showed that no shorter way exists."""

    actions: int
    proven: bool


def fewest_known(stored: int | None, best: int | None, proven: int | None = None) -> Fewest | None:
    """The fewest actions of what is stored (recordings, explorations, random play) and of first runs.

    `proven` is what a search has shown to be the fewest. Where somebody needed fewer actions all the same, on
    another seed perhaps, nothing is proven. None when nothing is known.
    """
    known = [actions for actions in (stored, best) if actions is not None]
    return Fewest(min(known), min(known) == proven) if known else None


def level_baseline(action_counts: Iterable[int]) -> LevelBaseline:
    """The baseline of a level from the action counts of everyone who completed it, in any order.

    Raises RuleError `action_count_not_positive`: no level is completed without an action.
    """
    actions = tuple(sorted(action_counts))
    if not actions:
        return LevelBaseline(completers=0, upper_median=None, best=None, actions=())
    if actions[0] <= 0:
        raise RuleError("action_count_not_positive", "A completed level has at least one action.")
    return LevelBaseline(len(actions), upper_median(actions), actions[0], actions)
