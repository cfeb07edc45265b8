"""Level results of many attempts at once are those of one after another, whatever was played."""

import random
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import timedelta
from functools import cache
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import source as sources
from engine.actions import CLICK, RESET, Action
from engine.game import Game, Turn
from playtest.insight import columns
from playtest.rules.errors import RuleError
from playtest.rules.results import ResultEntry, level_results
from tests import sittings
from tests.games.plays import FEWEST, actions
from tests.games.rules import GAMES
from tests.live.games import WALK
from tests.rules.levels import BEGAN, journal, journals

GAME_FOLDERS = {
    name: folder / name
    for folder, names in ((GAMES, ("vq37", "tz85", "mb62")), (sittings.ENVIRONMENTS, ("wk01", "rn01")))
    for name in names
}

source = cache(lambda name: sources.load(GAME_FOLDERS[name]))

type Attempts = Mapping[int, list[ResultEntry]]


def in_columns(attempts: Attempts) -> list[dict[str, Any]]:
    """What the product's columns say of these attempts."""
    rows = [_row(attempt, entry) for attempt in sorted(attempts) for entry in attempts[attempt]]
    return columns.level_results(pl.DataFrame(rows, schema=columns.JOURNAL, orient="row")).to_dicts()


def _row(attempt: int, entry: ResultEntry) -> tuple[Any, ...]:
    return (
        attempt, entry.seq, entry.action, entry.levels_completed, entry.level_completed, entry.changed,
        entry.state == "WIN", entry.state == "GAME_OVER", int.from_bytes(entry.state_hash), entry.at,
    )  # fmt: skip


def one_after_another(attempts: Attempts) -> list[dict[str, Any]]:
    """What the rule says of them."""
    return [
        {"attempt": attempt, **asdict(result)}
        for attempt in sorted(attempts)
        for result in level_results(attempts[attempt])
    ]


@settings(max_examples=60)
@given(st.dictionaries(st.integers(1, 2**40), journals, max_size=6))
def test_columns_say_what_the_rule_says(attempts: Attempts) -> None:
    assert in_columns(attempts) == one_after_another(attempts)


@settings(max_examples=60)
@given(st.dictionaries(st.integers(1, 9), journals, min_size=1, max_size=4), st.data())
def test_columns_read_on_from_where_the_last_level_began(attempts: Attempts, data: st.DataObject) -> None:
    read = {name: entries[: data.draw(st.integers(1, len(entries)))] for name, entries in attempts.items()}
    before = in_columns(read)
    begins = {row["attempt"]: row["entered_seq"] for row in before}
    after = in_columns({name: entries[begins[name] :] for name, entries in attempts.items()})
    found = {(row["attempt"], row["level"]): row for row in [*before, *after]}
    assert [found[key] for key in sorted(found)] == in_columns(attempts)


@settings(max_examples=25)
@given(st.sampled_from(sorted(GAME_FOLDERS)), st.randoms(use_true_random=False))
def test_so_they_do_of_real_environments(name: str, choice: random.Random) -> None:
    attempts = {number: played(name, choice) for number in (1, 2, 3)}
    assert in_columns(attempts) == one_after_another(attempts)


def played(name: str, choice: random.Random) -> list[ResultEntry]:
    """Someone who knows the way through some levels and loses it: detours, resets, no-ops, long pauses."""
    game, turn = Game.start(source(name), choice.randrange(99))
    entries, at = [_entry(0, RESET, turn, BEGAN)], BEGAN
    ways = [list(actions(name, way)) for way in FEWEST[name]] if name in FEWEST else [_WON]
    for way in [*ways[: choice.randrange(4)], []]:
        for planned in [*[None] * choice.randrange(12), Action(RESET), *way, *[None] * choice.randrange(12)]:
            if game.turn.state == "WIN":
                return entries
            action = planned if planned is not None else _any(choice, game.turn)
            if game.turn.state == "GAME_OVER":
                action = Action(RESET)
            at += timedelta(microseconds=choice.choice([1, 250_000, 2_000_003, 90_000_000]))
            entries.append(_entry(len(entries), action.id, game.act(action), at))
    return entries


_WON = [Action(act) for act in WALK]  # of wk01; in rn01 it leads nowhere


def _any(choice: random.Random, turn: Turn) -> Action:
    number = choice.choice([RESET, *turn.available_actions])
    return Action(number, choice.randrange(64), choice.randrange(64)) if number == CLICK else Action(number)


def _entry(seq: int, action: int, turn: Turn, at: Any) -> ResultEntry:
    return ResultEntry(
        seq,
        action,
        turn.levels_completed,
        turn.level_completed,
        turn.state,
        turn.changed,
        turn.state_hash,
        at,
    )


@pytest.mark.parametrize(
    ("entries", "code"),
    [
        ([journal("bc")[0], journal("bc")[2]], "entries_out_of_order"),
        ([*journal("+")[:2], journal("bc")[2]], "levels_out_of_order"),
    ],
    ids=["one is missing", "back on a level completed before"],
)
def test_what_the_rule_refuses_columns_refuse(entries: Iterable[ResultEntry], code: str) -> None:
    with pytest.raises(RuleError, match="of attempt 7") as refused:
        in_columns({5: journal("bc+b"), 7: list(entries)})
    assert refused.value.code == code
