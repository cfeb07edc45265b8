"""Usage and cost are read from what a harness sends, whatever else agents send, and summed exactly."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playtest.arena.runs.sums import sums, usage_of
from playtest.arena.runs.usage import NO_USAGE, Usage, usage_in
from playtest.arena.scores.card_scores import card_score
from tests.arena.runs.played import on_a_card, write_run
from tests.arena.scores.agents import version
from tests.live.games import WALK

HARNESS: dict[str, Any] = {
    "output": "ACTION4",
    "reasoning": "The door is to the right.",
    "usage": {
        "input_tokens": 1200,
        "input_tokens_details": {"cached_tokens": 1000},
        "output_tokens": 80,
        "output_tokens_details": {"reasoning_tokens": 64},
        "total_tokens": 1280,
    },
    "cost": {"input_cost": 0.0012, "output_cost": 0.0008, "total_cost": 0.002},
}
"""As arc-agi-3-benchmarking sends it."""
READ = Usage(1, 1200, 1000, 80, 64, 1280, 1_200_000, 800_000, 2_000_000, 1)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=2),
    max_leaves=3,
)
names = st.sampled_from(
    ["usage", "cost", "input_tokens", "output_tokens", "total_tokens", "total_cost", "input_tokens_details",
     "cached_tokens", "output_cost", "output"]
)  # fmt: skip
like_the_harness = st.dictionaries(
    names, json_values | st.dictionaries(names, json_values, max_size=4), max_size=4
)


def test_the_official_fields_are_read() -> None:
    assert usage_in(json.dumps(HARNESS)) == READ
    assert usage_in(json.dumps(json.dumps(HARNESS))) == READ, "the official client sends JSON within a string"
    assert READ.cost == 0.002
    assert READ.as_json()["output_cost"] == 0.0008


def test_a_total_that_is_not_said_is_the_sum_of_its_parts() -> None:
    found = usage_in('{"usage": {"input_tokens": 3, "output_tokens": 4.0}, "cost": {"output_cost": 1}}')
    assert (found.total_tokens, found.cost) == (7, 1)


def test_a_cost_that_nobody_said_is_unknown_and_not_zero() -> None:
    assert usage_in('{"usage": {"input_tokens": 3}}').cost is None
    assert usage_in('{"cost": {"total_cost": 0}}').cost == 0


NOT_TOKENS = ("-1", '"7"', "true", "null", "1e300", "0.5")
NOT_DOLLARS = ("-0.1", '"$1"', "false", "NaN", "Infinity", "1e9")
NOTHING_SAID = [
    *("", "right", "null", "[1]", '"1"', "{}", '{"usage": 5, "cost": []}', "[" * 16_000, "9" * 5_000),
    *(f'{{"usage": {{"total_tokens": {wrong}}}}}' for wrong in NOT_TOKENS),
    *(f'{{"cost": {{"total_cost": {wrong}}}}}' for wrong in NOT_DOLLARS),
]


@pytest.mark.parametrize("text", NOTHING_SAID, ids=lambda text: text[:40])
def test_anything_else_counts_as_nothing_usage_in(text: str) -> None:
    assert usage_in(text) == NO_USAGE


@given(like_the_harness)
def test_any_json_is_read_without_an_error_and_never_below_nothing(value: Any) -> None:
    found = usage_in(json.dumps(value))
    numbers = [number for name, number in found.as_json().items() if name != "actions"]
    assert all(number >= 0 for number in numbers)
    assert found.actions in (0, 1)
    assert found.actions or found == NO_USAGE


@given(st.text())
def test_any_text_is_read_without_an_error(text: str) -> None:
    assert usage_in(text).actions in (0, 1)


@given(st.lists(st.floats(0, 100), max_size=6))
def test_a_sum_of_costs_does_not_depend_on_the_order(dollars: list[float]) -> None:
    found = [usage_in(json.dumps({"cost": {"total_cost": cost}})) for cost in dollars]
    assert sum(found, NO_USAGE) == sum(reversed(found), NO_USAGE)
    assert sum(found, NO_USAGE) == sum(sorted(found, key=lambda one: one.total_cost), NO_USAGE)


@pytest.mark.django_db
def test_usage_is_summed_by_level_run_and_card() -> None:
    text = json.dumps(HARNESS)
    first = write_run(version(), WALK, notes=dict.fromkeys((1, 2, 4), text) | {3: "thinking", 5: ""})
    second = write_run(version(), [4], notes={1: text})
    silent = write_run(version(), [4])
    card = on_a_card(first)
    on_a_card(second, card)
    other = on_a_card(silent)
    levels = sums([first.pk])[first.pk].levels
    used = {level: one.usage for level, one in levels.items() if one.usage.actions}
    assert used == {1: READ + READ, 2: READ}
    of_each = {first.pk: READ + READ + READ, second.pk: READ, silent.pk: NO_USAGE}
    assert usage_of([first.pk, second.pk, silent.pk]) == of_each
    whole = READ + READ + READ + READ
    assert [card_score(one).usage for one in (card, other)] == [whole, NO_USAGE]
