"""Whether a uniformly random player wins a level too often, from all evidence about it (report 3.5.1).

A try lasts until the level ends, or for a multiple of the fewest actions known to win it (`RandomPlayer`). So
the budget follows from the level, never from a search. A state graph gives certain bounds; random play, by
tries or by splitting, some that hold with 95 % confidence. Each counts for what it bounds, and the best one
decides. The player knows nothing: graphs and tries of one who knows where a click may matter do not count.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from playtest.rules.errors import RuleError
from playtest.rules.inference.shares import at_least, at_most
from playtest.rules.text import counted

_DOUBT_TOO_EASY = 0.001
"""A level is too easy if so many wins are at most this likely at the highest chance allowed."""


class Standing(StrEnum):
    """What the evidence about a level says."""

    HARD_ENOUGH = "hard_enough"
    TOO_EASY = "too_easy"
    MISSING = "missing"
    NO_WIN_KNOWN = "no_win_known"


@dataclass(frozen=True, slots=True)
class RandomPlayer:
    """The limit on the chance of a uniformly random player, and the length of one try.

    At most one try in `one_win_in` may win; a try has `budget_factor` times the fewest actions known to win.
    Raises RuleError `random_player_invalid`.
    """

    one_win_in: int
    budget_factor: int

    def __post_init__(self) -> None:
        if self.one_win_in < 2 or self.budget_factor < 1:
            message = (
                "A random player wins at most one try in 2 or more, and a try has a factor of 1 or more."
            )
            raise RuleError("random_player_invalid", message)

    @property
    def chance(self) -> float:
        """The largest chance of winning a level past the first."""
        return 1 / self.one_win_in

    def budget_of(self, fewest: int | None) -> int | None:
        """The actions of one try; None while no win is known."""
        return None if fewest is None else self.budget_factor * fewest

    def odds(self, chance: float) -> str:
        """In percent, or as wins in `one_win_in` tries where that is easier to compare with the limit."""
        if chance >= 0.01:
            return f"{100 * chance:.3g} %"
        if 0 < self.one_win_in * chance < 0.01:
            return f"under 0.01 in {self.one_win_in:,}"
        return f"{self.one_win_in * chance:.3g} in {self.one_win_in:,}"

    def tries_needed(self, wins: int) -> int:
        """The fewest tries that bound the chance low enough if `wins` of them won."""
        return _tries_needed(wins, self.one_win_in)


@lru_cache(maxsize=1_000)
def _tries_needed(wins: int, one_win_in: int) -> int:
    low, high = wins, 3 * one_win_in * (wins + 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if at_most(wins, middle) <= 1 / one_win_in else (middle, high)
    return high


@dataclass(frozen=True, slots=True)
class GraphBounds:
    """Certain bounds from the state graph with the key `run`.

    `lower` and `upper`: of winning within `budget` actions; `ever_upper`: of ever winning. `states` were
    seen; `stopped_by` names the limit that ended the search, "" when everything was explored. A level that
    `draws` by chance has another graph with another seed, so this one bounds nothing; nor does one whose
    player `knows_places` that can be clicked.
    """

    run: int
    budget: int
    lower: float
    upper: float
    ever_upper: float
    states: int = 0
    stopped_by: str = ""
    draws: bool = False
    knows_places: bool = False


@dataclass(frozen=True, slots=True)
class Split:
    """Bounds of the chance by so many runs of splitting (`engine.prove.splitting.Interval`)."""

    lower: float
    upper: float
    estimate: float
    runs: int


@dataclass(frozen=True, slots=True)
class Tries:
    """Independent tries of at most `budget` actions each; `wins` has the actions of each try that won.

    `split` is what splitting of games of as many actions came to, if it was needed.
    """

    budget: int
    tries: int
    wins: tuple[int, ...] = ()
    split: Split | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is known of one level, and the `reason` in words.

    `fewest` actions are known to win it, a try has `budget` actions; both None while no win is known.
    `upper` is the smallest bound that applies to that budget. `tries` were made and count, `wins` of them
    won. `graph` is the state graph that decides, if one does.
    """

    level: int
    standing: Standing
    reason: str
    fewest: int | None
    budget: int | None
    upper: float
    tries: int = 0
    wins: int = 0
    graph: int | None = None

    @property
    def sentence(self) -> str:
        """The reason with its level."""
        return f"Level {self.level}: {self.reason}."

    @property
    def met(self) -> bool:
        """Whether the level is shown to be hard enough."""
        return self.standing == Standing.HARD_ENOUGH

    @property
    def open(self) -> bool:
        """Whether more evidence can change what is known."""
        return self.standing in (Standing.MISSING, Standing.NO_WIN_KNOWN)


def judge(
    level: int,
    fewest: int | None,
    graphs: Collection[GraphBounds],
    tries: Collection[Tries],
    player: RandomPlayer,
) -> Verdict:
    """The verdict on a level from all evidence about one version of it.

    `fewest` is the smallest number of actions that is known to win it.
    """
    return _Level(level, fewest, graphs, tries, player).verdict()


@dataclass
class _Level:
    """The evidence about one level, sorted by whether it applies to the budget of a try."""

    level: int
    fewest: int | None
    every_graph: Collection[GraphBounds]
    every_try: Collection[Tries]
    player: RandomPlayer

    def __post_init__(self) -> None:
        tries = self.every_try
        self.budget = self.player.budget_of(self.fewest)
        self.graphs = [graph for graph in self.every_graph if not graph.draws and not graph.knows_places]
        self.draws = any(graph.draws for graph in self.every_graph)
        self.applying = [one for one in tries if self.budget is not None and one.budget >= self.budget]
        self.shorter = sum(one.tries for one in tries) - sum(one.tries for one in self.applying)
        self.splits = [one for one in tries if one.split is not None]
        self.tries = sum(one.tries for one in self.applying)
        self.wins = sum(win <= (self.budget or 0) for one in self.applying for win in one.wins)

    def verdict(self) -> Verdict:
        """The verdict; evidence that the level is too easy decides before any other."""
        return (
            self._too_easy_by_graph()
            or self._too_easy_by_tries()
            or self._too_easy_by_splitting()
            or self._never_won()
            or self._no_win_known()
            or self._bounded()
        )

    def _too_easy_by_graph(self) -> Verdict | None:
        if self.budget is None:
            return None
        within = [graph for graph in self.graphs if graph.budget <= self.budget]
        best = max(within, key=lambda graph: graph.lower, default=None)
        if best is None or best.lower <= self.player.chance:
            return None
        reason = f"a random player wins it within {best.budget:,} actions with a chance of"
        least = "" if best.lower == best.upper else "at least "
        return self._made(
            Standing.TOO_EASY, f"{reason} {least}{self.player.odds(best.lower)}", best.upper, best
        )

    def _too_easy_by_tries(self) -> Verdict | None:
        if not self.wins or at_least(self.wins, self.tries, self.player.chance) > _DOUBT_TOO_EASY:
            return None
        reason = f"a random player won {self.wins:,} of {self.tries:,} tries of {self.budget:,} actions"
        return self._made(Standing.TOO_EASY, reason, at_most(self.wins, self.tries))

    def _too_easy_by_splitting(self) -> Verdict | None:
        within = [one.split for one in self.splits if one.split and one.budget <= (self.budget or 0)]
        best = max(within, key=lambda split: split.lower, default=None)
        if best is None or best.lower <= self.player.chance:
            return None
        chance = f"with a chance of at least {self.player.odds(best.lower)} (99.9 %, {_runs(best)})"
        reason = f"a random player wins it within {counted(self.budget or 0, 'action')} {chance}"
        return self._made(Standing.TOO_EASY, reason, best.upper)

    def _never_won(self) -> Verdict | None:
        best = min(self.graphs, key=lambda graph: graph.ever_upper, default=None)
        if best is None or best.ever_upper > self.player.chance:
            return None
        reason = f"the chance of ever winning is at most {self.player.odds(best.ever_upper)}, {_by(best)}"
        return self._made(Standing.HARD_ENOUGH, reason, best.ever_upper, best)

    def _no_win_known(self) -> Verdict | None:
        if self.budget is not None:
            return None
        reason = (
            "no win is known, so there is no budget for a try. A recording that wins this level is needed"
        )
        return self._made(Standing.NO_WIN_KNOWN, reason, 1.0)

    def _bounded(self) -> Verdict:
        """The verdict by the smallest bound."""
        assert self.budget is not None
        best = min(self._long_enough(), key=lambda graph: graph.upper, default=None)
        splits = [one.split for one in self.splits if one.split and one.budget >= self.budget]
        split = min(splits, key=lambda one: one.upper, default=None)
        by_graph = best.upper if best else 1.0
        by_split = split.upper if split else 1.0
        by_tries = at_most(self.wins, self.tries)
        upper = min(by_graph, by_split, by_tries)
        if upper > self.player.chance:
            return self._made(Standing.MISSING, self._lacking(best, split), upper, best)
        if best is not None and by_graph == upper:
            reason = self._won_within(best.budget, by_graph, f", {_by(best)}")
            return self._made(Standing.HARD_ENOUGH, reason, by_graph, best)
        if split is not None and by_split == upper:
            return self._made(Standing.HARD_ENOUGH, self._by_splitting(split), by_split)
        return self._made(Standing.HARD_ENOUGH, self._tried(), by_tries)

    def _lacking(self, best: GraphBounds | None, split: Split | None) -> str:
        if split is not None:
            return f"{self._by_splitting(split)}, which is not enough. Random play with more games is needed"
        if self.tries:
            return f"{self._tried()}. More random play is needed"
        return self._nothing_tried(best)

    def _by_splitting(self, split: Split) -> str:
        return self._won_within(self.budget or 0, split.upper, f" (95 %, {_runs(split)})")

    def _won_within(self, budget: int, upper: float, known_by: str) -> str:
        odds = self.player.odds(upper)
        if odds.startswith("under"):
            return f"within {counted(budget, 'action')} it is won almost never ({odds}){known_by}"
        return f"the chance of winning within {counted(budget, 'action')} is at most {odds}{known_by}"

    def _long_enough(self) -> list[GraphBounds]:
        return [graph for graph in self.graphs if graph.budget >= (self.budget or 0)]

    def _tried(self) -> str:
        won = counted(self.wins, "win") if self.wins else "no win"
        bound = self.player.odds(at_most(self.wins, self.tries))
        return f"{won} in {self.tries:,} tries of {self.budget:,} actions: at most {bound} (95 %)"

    def _nothing_tried(self, best: GraphBounds | None) -> str:
        needed = f"random play of {self.budget:,} actions a try is needed"
        if best is not None:
            return f"{self._loose(best)}. {needed.capitalize()}"
        if self.graphs:
            longest = max(graph.budget for graph in self.graphs)
            known = f"its state graph was asked for {counted(longest, 'action')}, a try has {self.budget:,}"
            return f"{known}. {needed.capitalize()}"
        if self.draws:
            return f"it draws by chance, so its state graph holds for one seed alone. {needed.capitalize()}"
        if self.shorter:
            return f"{self.shorter:,} tries were shorter than {self.budget:,} actions. {needed.capitalize()}"
        return f"{needed}, or a state graph that bounds the chance"

    def _loose(self, graph: GraphBounds) -> str:
        """A bound that is not small enough."""
        says = f"says at most {self.player.odds(graph.upper)}"
        bound = says if graph.upper < 1 else "does not bound the chance"
        return f"its state graph ({_extent(graph)}) {bound}"

    def _made(
        self, standing: Standing, reason: str, upper: float, graph: GraphBounds | None = None
    ) -> Verdict:
        run = graph.run if graph else None
        return Verdict(
            self.level, standing, reason, self.fewest, self.budget, upper, self.tries, self.wins, run
        )


def _by(graph: GraphBounds) -> str:
    """Names the state graph that a bound comes from."""
    return f"by its state graph ({_extent(graph)})"


def _runs(split: Split) -> str:
    return f"splitting, {split.runs} runs"


def _extent(graph: GraphBounds) -> str:
    limit = f", stopped by the limit on {graph.stopped_by}" if graph.stopped_by else ""
    return f"{counted(graph.states, 'state')}{limit}"
