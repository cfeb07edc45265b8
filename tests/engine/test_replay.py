"""A replay gives the turns of the longest prefix that holds, and names the first entry that does not."""

from __future__ import annotations

import pytest

from engine.actions import Action
from engine.game import Game
from engine.replay import Divergence, Entry, replay, turns
from engine.turns import Turn
from tests.engine.sources import MISBEHAVE, RESET, WALK_WINS, environment, moves, written

WALK = environment("wk01")


def played(text: str) -> list[Entry]:
    game, opening = Game.start(WALK, 0)
    entries = [Entry(RESET, opening.state_hash, opening.frames)]
    for action in moves(text):
        turn = game.act(action)
        entries.append(Entry(action, turn.state_hash, turn.frames))
    return entries


def test_a_whole_win_replays() -> None:
    entries = played("".join(WALK_WINS))
    outcome = replay(WALK, 0, entries)
    assert (outcome.valid, outcome.divergence) == (19, None)
    assert outcome.turn is not None
    assert outcome.turn.state == "WIN"


def test_entries_without_expectations_just_play() -> None:
    steps = list(turns(WALK, 0, [Entry(RESET), *map(Entry, moves("44"))]))
    assert [isinstance(step, Turn) for step in steps] == [True] * 3


def test_the_first_divergence_is_named() -> None:
    entries = played("444222")
    entries[4] = Entry(Action(1), entries[4].state_hash)
    outcome = replay(WALK, 0, entries)
    assert outcome.valid == 4
    assert outcome.divergence is not None
    assert (outcome.divergence.seq, outcome.divergence.expected) == (4, entries[4].state_hash)
    assert outcome.divergence.actual not in (None, entries[4].state_hash)
    assert outcome.turn is not None
    assert outcome.turn.state_hash == entries[3].state_hash


def test_a_difference_in_an_animation_is_a_divergence() -> None:
    entries = played("444")
    frames = entries[3].frames
    assert frames is not None
    entries[3] = Entry(entries[3].action, entries[3].state_hash, frames[1:])
    outcome = replay(WALK, 0, entries)
    assert outcome.divergence == Divergence(3, entries[3].state_hash, entries[3].state_hash)


def test_an_action_that_is_refused_ends_the_prefix() -> None:
    outcome = replay(WALK, 0, [Entry(RESET), Entry(Action(4)), Entry(Action(7)), Entry(Action(4))])
    assert outcome.valid == 2
    assert outcome.divergence is not None
    assert outcome.divergence.seq == 2
    assert outcome.divergence.error is not None
    assert outcome.divergence.error.code == "action_unavailable"


def test_what_is_not_available_is_carried_out_by_arcengines_rules() -> None:
    changing = environment("av01")
    entries = [Entry(RESET), *map(Entry, moves("4415"))]
    assert replay(changing, 0, entries).valid == 2
    outcome = replay(changing, 0, entries, as_arcengine=True)
    assert (outcome.valid, outcome.divergence) == (5, None)
    assert outcome.turn is not None
    assert outcome.turn.available_actions == (4,)


def test_playing_stops_at_the_win() -> None:
    entries = [*played("".join(WALK_WINS)), *map(Entry, moves("444")), Entry(RESET)]
    for as_arcengine in (False, True):
        outcome = replay(WALK, 0, entries, as_arcengine=as_arcengine)
        assert (outcome.valid, outcome.divergence) == (19, None)


def test_a_fault_ends_the_prefix() -> None:
    outcome = replay(written(step="1 / 0"), 0, [Entry(RESET), Entry(MISBEHAVE)])
    assert outcome.valid == 1
    assert outcome.divergence is not None
    assert outcome.divergence.error is not None
    assert outcome.divergence.error.code == "environment_raised"


def test_turns_are_played_one_at_a_time() -> None:
    steps = turns(WALK, 0, iter([Entry(RESET), Entry(Action(4)), Entry(Action(7))]))
    first, second = next(steps), next(steps)
    assert isinstance(first, Turn)
    assert isinstance(second, Turn)
    assert isinstance(next(steps), Divergence)


def test_entry_0_is_the_opening() -> None:
    with pytest.raises(ValueError, match="opening RESET"):
        replay(WALK, 0, [Entry(Action(4))])
