"""The model's prompt, its replies, and the note of tokens and dollars."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from playtest_agents.game import Action
from playtest_agents.llm_text import (
    SYSTEM_PROMPT,
    Prices,
    Usage,
    last_action,
    messages,
    note,
    shown_frames,
    turn_text,
)
from tests.arena.agents.worlds import turn

ALL = range(8)


@pytest.mark.parametrize(
    ("reply", "action"),
    [
        ("ACTION1", Action(1)),
        ("I first thought of ACTION1. But no: **ACTION3**.", Action(3)),
        ("action 2", Action(2)),
        ("ACTION6 3 4", Action(6, 3, 4)),
        ("ACTION6: 3, 4", Action(6, 3, 4)),
        ("ACTION6(x=3, y=63)", Action(6, 3, 63)),
        ('{"action": "ACTION6", "x": 3, "y": 4}', Action(6, 3, 4)),
        ("`ACTION6` (3,4)", Action(6, 3, 4)),
        ("ACTION5, since ACTION6 takes a cell", Action(5)),
        ("ACTION5 or ACTION6 64 0", Action(5)),
        ("RESET", Action(0)),
        ("ACTION12", None),
        ("ACTION8", None),
        ("PRESET", None),
        ("ACTION6", None),
        ("ACTION6 3", None),
        ("ACTION6 -3 4", None),
        ("", None),
    ],
)
def test_the_last_action_of_a_reply_counts(reply: str, action: Action | None) -> None:
    assert last_action(reply, ALL) == action


def test_an_action_that_is_not_allowed_is_passed_over() -> None:
    assert last_action("ACTION1, not RESET, not ACTION7", [1, 2]) == Action(1)


@given(st.text(max_size=40))
def test_any_text_can_be_a_reply(reply: str) -> None:
    action = last_action(reply, [1, 2, 6])
    assert action is None or action.id in (1, 2, 6)


cells = st.integers(0, 63)
valid = st.integers(0, 7).flatmap(
    lambda action: (
        st.builds(Action, st.just(action), cells, cells) if action == 6 else st.just(Action(action))
    )
)


@given(st.text(alphabet="abcdef .,\n"), valid)
def test_an_action_written_as_the_prompt_names_it_is_read(before: str, action: Action) -> None:
    cell = "" if action.x is None else f" {action.x} {action.y}"
    assert last_action(f"{before} {action.name}{cell}", ALL) == action


def test_the_prompt_says_what_the_report_says_and_nothing_of_the_game() -> None:
    sent = messages([], turn_text(turn(seen=1), (1, 6)), 100_000)
    assert [message["role"] for message in sent] == ["system", "user"]
    assert sent[0]["content"].startswith("You are playing a game. Your goal is to win. Reply with the exact")
    rows = [f"1{' 0' * 63}", *[" ".join("0" * 64)] * 63]
    assert sent[1]["content"] == "\n".join([
        "State: NOT_FINISHED", "Levels completed: 0", "", "Frame 1 of 1:", *rows, "",
        "Available actions:", "ACTION1", "ACTION6 x y (x and y from 0 to 63)",
    ])  # fmt: skip


@given(st.lists(st.tuples(st.text(max_size=50), st.text(max_size=50)), max_size=8), st.integers(0, 600))
def test_the_newest_exchanges_that_fit_are_sent(history: list[tuple[str, str]], room: int) -> None:
    sent = messages(history, "now", len(SYSTEM_PROMPT) + 3 + room)
    carried = [
        (ask["content"], reply["content"]) for ask, reply in zip(sent[1:-1:2], sent[2:-1:2], strict=True)
    ]
    assert sent[-1] == {"role": "user", "content": "now"}
    assert carried == history[len(history) - len(carried) :]
    length = sum(len(text) for exchange in carried for text in exchange)
    assert length <= room
    if len(carried) < len(history):
        assert length + sum(map(len, history[-len(carried) - 1])) > room


@given(st.integers(1, 60), st.integers(2, 9))
def test_of_many_frames_some_are_shown_in_order_with_the_first_and_the_last(count: int, most: int) -> None:
    frames = [np.full((64, 64), number % 16, np.uint8) for number in range(count)]
    shown = shown_frames(frames, most)
    places = [next(index for index, frame in enumerate(frames) if frame is seen) for seen in shown]
    assert len(places) == min(count, most)
    assert places == sorted(set(places))
    assert {places[0], places[-1]} == {0, count - 1}


counts = st.integers(0, 10**9)
usages = st.builds(Usage, counts, counts, counts, counts)


@given(st.text(max_size=60), st.text(max_size=60), st.integers(1, 2_000), usages)
def test_a_note_fits_into_16_kib_and_keeps_its_numbers(
    output: str, reasoning: str, times: int, usage: Usage
) -> None:
    cost = Prices(1.0, 2.0).cost(usage)
    made = note(output * times, reasoning * times, usage, cost)
    assert len(json.dumps(made).encode()) <= 16 * 1024
    assert (made["usage"], made["cost"]) == (usage.as_json(), cost)
    short = {"output": output, "reasoning": reasoning, "usage": made["usage"], "cost": cost}
    assert note(output, reasoning, usage, cost) == short


def test_the_end_of_a_long_reply_survives() -> None:
    made = note("because " * 9_000 + "ACTION4", "", Usage(), {})
    assert made["output"].startswith("because")
    assert made["output"].endswith("ACTION4")


def test_cached_tokens_have_their_own_price() -> None:
    usage = Usage(input=1_000_000, cached=400_000, output=100_000)
    assert Prices(10.0, 50.0, 1.0).cost(usage) == pytest.approx(
        {"input_cost": 6.4, "output_cost": 5.0, "total_cost": 11.4}
    )
    assert Prices(10.0, 50.0).cost(usage)["input_cost"] == pytest.approx(10.0)


@pytest.mark.parametrize("usage", [None, [], {"prompt_tokens": "3"}, {"prompt_tokens_details": None}])
def test_usage_that_is_missing_or_malformed_counts_as_none(usage: object) -> None:
    assert Usage.of_answer(usage) == Usage()
