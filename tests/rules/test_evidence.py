"""What bounds a random player's chance, what does not, and how many tries are missing."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playtest.rules import evidence
from playtest.rules.evidence import GraphBounds, RandomPlayer, Split, Standing, Tries, Verdict
from playtest.rules.inference.shares import at_most

HARD, EASY, MISSING, NO_WIN = Standing
NOTHING = GraphBounds(1, 150, 0.0, 1.0, 1.0, states=1, stopped_by="nodes")


PLAYER = RandomPlayer(one_win_in=10_000, budget_factor=5)


def judge(level: int, fewest: int | None, graphs: Sequence[GraphBounds], tries: Sequence[Tries]) -> Verdict:
    return evidence.judge(level, fewest, graphs, tries, PLAYER)


def exact(chance: float, budget: int = 150) -> GraphBounds:
    return GraphBounds(1, budget, chance, chance, 1.0, states=20)


def test_a_try_has_five_times_the_fewest_actions_known() -> None:
    assert judge(2, 30, [], []).budget == 150
    assert (judge(2, None, [], []).budget, judge(2, None, [], []).standing) == (None, NO_WIN)


def test_missing_evidence_is_described_with_its_bound() -> None:
    found = judge(3, 30, [], [Tries(150, 12_400)])
    assert (found.standing, found.upper) == (MISSING, 3 / 12_400)
    assert found.sentence == (
        "Level 3: no win in 12,400 tries of 150 actions: at most 2.42 in 10,000 (95 %). "
        "More random play is needed."
    )
    assert judge(3, 30, [], []).sentence == (
        "Level 3: random play of 150 actions a try is needed, or a state graph that bounds the chance."
    )
    assert judge(3, 30, [NOTHING], []).sentence == (
        "Level 3: its state graph (1 state, stopped by the limit on nodes) does not bound the chance. "
        "Random play of 150 actions a try is needed."
    )


def test_splitting_bounds_the_chance_from_both_sides() -> None:
    def split(lower: float, upper: float, budget: int = 150) -> list[Tries]:
        return [Tries(budget, 300, split=Split(lower, upper, upper / 2, 5))]

    hard = judge(2, 30, [], split(0, 0.00009))
    assert (hard.standing, hard.upper) == (HARD, 0.00009)
    assert hard.sentence == (
        "Level 2: the chance of winning within 150 actions is at most 0.9 in 10,000 "
        "(95 %, splitting, 5 runs)."
    )
    assert "it is won almost never (under 0.01 in 10,000) (95 %" in judge(2, 30, [], split(0, 1e-7)).sentence
    assert judge(2, 30, [], split(0, 0.0002)).standing == MISSING
    assert judge(2, 30, [], split(0.0002, 0.1)).standing == EASY
    assert judge(2, 40, [], split(0, 0.00001)).standing == MISSING
    assert judge(2, 20, [], split(0.0002, 0.1)).standing == MISSING


def test_a_player_who_knows_the_places_bounds_nothing() -> None:
    knowing = GraphBounds(1, 150, 0.5, 0.5, 0.5, knows_places=True)
    assert judge(2, 30, [knowing], []).standing == MISSING


def test_the_exact_number_of_tries_is_sufficient_and_one_less_is_not() -> None:
    assert judge(2, 30, [], [Tries(150, 30_000)]).standing == HARD
    assert judge(2, 30, [], [Tries(150, 29_999)]).standing == MISSING
    once = judge(2, 30, [], [Tries(150, 30_000, (140,))])
    assert (once.standing, once.wins) == (MISSING, 1)
    assert judge(2, 30, [], [Tries(150, PLAYER.tries_needed(1), (140,))]).standing == HARD


def test_a_graph_for_a_shorter_try_bounds_nothing() -> None:
    short = GraphBounds(1, 1, 0.0, 0.0, 1.0, states=1, stopped_by="nodes")
    found = judge(2, 30, [short], [])
    assert (found.standing, found.upper) == (MISSING, 1.0)
    assert "its state graph was asked for 1 action, a try has 150. Random play" in found.sentence


def test_a_graph_for_a_longer_try_or_of_ever_winning_does() -> None:
    assert judge(2, 30, [exact(0.00009, 1_000)], []).standing == HARD
    assert judge(2, None, [GraphBounds(1, 1_000, 0, 0.5, 0.0001)], []).standing == HARD
    stopped = GraphBounds(1, 150, 0, 0.00002, 1, states=900, stopped_by="seconds")
    assert judge(2, 30, [stopped], []).sentence == (
        "Level 2: the chance of winning within 150 actions is at most 0.2 in 10,000, "
        "by its state graph (900 states, stopped by the limit on seconds)."
    )
    later = judge(2, 30, [exact(0.25, 1_000)], [])
    assert (later.standing, later.upper) == (MISSING, 0.25)


def test_the_graph_of_a_level_that_draws_by_chance_bounds_nothing() -> None:
    drawn = GraphBounds(1, 100, 0.0, 0.0, 0.0, states=20, draws=True)
    found = judge(2, 20, [drawn], [])
    assert (found.standing, found.budget) == (MISSING, 100)
    assert "it draws by chance, so its state graph holds for one seed alone" in found.sentence
    assert judge(2, 20, [drawn], [Tries(100, 30_000)]).standing == HARD


def test_tries_of_fewer_actions_do_not_count_when_the_fewest_known_changes() -> None:
    tries = [Tries(100, 30_000)]
    assert judge(2, 20, [], tries).standing == HARD
    longer = judge(2, 30, [], tries)
    assert (longer.standing, longer.tries) == (MISSING, 0)
    assert "30,000 tries were shorter than 150 actions" in longer.sentence


def test_only_wins_within_the_budget_count() -> None:
    found = judge(2, 20, [], [Tries(150, 40_000, (101, 150))])
    assert (found.budget, found.wins, found.standing) == (100, 0, HARD)


def test_the_best_evidence_counts_and_not_the_newest() -> None:
    good = exact(0.00001)
    for graphs in ([good, NOTHING], [NOTHING, good]):
        found = judge(2, 30, graphs, [])
        assert (found.standing, found.upper) == (HARD, 0.00001)


@pytest.mark.parametrize("more", [[NOTHING], [GraphBounds(2, 1, 0, 0, 1)], [GraphBounds(2, 1_000, 0, 0, 0)]])
def test_evidence_that_a_level_is_too_easy_prevails(more: list[GraphBounds]) -> None:
    found = judge(2, 30, [exact(0.25), *more], [Tries(150, 30_000)])
    assert (found.standing, found.sentence) == (
        EASY, "Level 2: a random player wins it within 150 actions with a chance of 25 %.",
    )  # fmt: skip


def test_a_level_that_is_often_won_needs_no_more_tries() -> None:
    found = judge(2, 30, [exact(0.0)], [Tries(150, 1_000, (30, 40, 50))])
    assert (found.standing, found.open) == (EASY, False)
    assert found.sentence == "Level 2: a random player won 3 of 1,000 tries of 150 actions."


@given(
    st.floats(0, 1),
    st.lists(st.tuples(st.integers(1, 400), st.floats(0, 1), st.floats(0, 1)), max_size=5),
    st.integers(1, 60),
)
def test_no_true_bounds_pass_a_level_that_is_too_easy(
    chance: float, searches: list[tuple[int, float, float]], fewest: int
) -> None:
    """A player who wins with `chance` within the budget, with more actions no less and with fewer no more."""
    budget = PLAYER.budget_factor * fewest
    graphs = []
    for steps, below, above in searches:
        lower = below * chance if steps <= budget else below
        upper = chance + above * (1 - chance) if steps >= budget else above
        graphs.append(GraphBounds(1, steps, min(lower, upper), upper, max(chance, above)))
    found = judge(2, fewest, graphs, [])
    assert found.standing != HARD or chance <= PLAYER.chance
    assert found.standing != EASY or chance > PLAYER.chance or any(s > budget for s, _, _ in searches)


@given(st.integers(0, 20))
def test_as_many_tries_as_are_needed_are_enough_and_no_fewer(wins: int) -> None:
    needed = PLAYER.tries_needed(wins)
    assert at_most(wins, needed) <= PLAYER.chance < at_most(wins, needed - 1)
