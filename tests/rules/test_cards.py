"""What a card may say and lacks, and on which of its mechanics people are lost."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.cards import (
    CONTROL_ACTIONS,
    PRIOR_LABELS,
    CardContent,
    Control,
    Mechanic,
    Prior,
    changed_parts,
    content_of,
    introduced,
    missing,
)
from playtest.rules.dropoff import LevelFacts, loss, stretches
from tests.refusals import rule_refused
from tests.studio.sketch_texts import CELLS, content


def test_a_stored_content_reads_back_the_same() -> None:
    whole = content_of(content(priors=["memory", "objects", "objects"]))
    assert whole.priors == ("objects", "memory")
    assert content_of(whole.as_json()) == whole
    assert content_of(whole.as_json()).digest == whole.digest
    assert (whole.levels, whole.actions) == (3, [1, 2, 3, 4])


def test_each_level_has_the_mechanics_that_it_introduces() -> None:
    found = introduced(content_of(content()))
    assert {level: [one.name for one in some] for level, some in found.items()} == {1: ["walls"], 3: ["pits"]}


def test_every_prior_and_control_is_described() -> None:
    assert set(PRIOR_LABELS) == set(Prior)
    assert sorted(action for some in CONTROL_ACTIONS.values() for action in some) == [1, 2, 3, 4, 5, 6, 7]
    assert set(CONTROL_ACTIONS) == set(Control)


@pytest.mark.parametrize(
    ("changes", "lacks"),
    [
        ({}, []),
        ({"concept": " "}, ["Say the concept."]),
        ({"priors": [], "controls": []}, ["Choose the priors that it rests on.", "Choose its controls."]),
        ({"mechanics": content()["mechanics"][:1]}, ["Name at least 2 mechanics."]),
        (
            {"known_games": [{"name": "Sokoban", "new": ""}]},
            ["Say what is new compared with each known game."],
        ),
        ({"sketches": []}, ["Draw at least one level."]),
    ],
)
def test_a_card_says_what_it_lacks(changes: dict[str, Any], lacks: list[str]) -> None:
    assert missing(content_of(content(**changes))) == lacks


def test_an_empty_card_is_stored_and_lacks_everything() -> None:
    empty = content_of(CardContent().as_json())
    assert len(missing(empty)) == 6
    assert changed_parts(empty, content_of(content(priors=[]))) == [
        "concept", "mechanics", "controls", "known games", "sketches",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"concept": 1}, "card_malformed"),
        ({"concept": "\ud800"}, "card_malformed"),
        ({"other": 1}, "card_malformed"),
        ({"mechanics": [{"name": "x"}]}, "card_malformed"),
        ({"mechanics": {}}, "card_malformed"),
        ({"concept": "x" * 5_001}, "text_too_long"),
        ({"mechanics": [{"name": "x", "level": 0, "description": ""}]}, "level_unknown"),
        ({"mechanics": [{"name": "x", "level": True, "description": ""}]}, "level_unknown"),
        ({"priors": ["luck"]}, "prior_unknown"),
        ({"controls": [[]]}, "control_unknown"),
        ({"known_games": content()["known_games"] * 41}, "card_too_large"),
        ({"sketches": [{"level": 1, "caption": "", "cells": CELLS[1:]}]}, "sketch_cells"),
        ({"sketches": [{"level": 1, "caption": "", "cells": CELLS.upper()}]}, "sketch_cells"),
    ],
)
def test_what_makes_no_sense_is_refused(changes: dict[str, Any], code: str) -> None:
    with rule_refused(code):
        content_of(content(**changes))


KEYS, DOORS, MIRRORS = Mechanic("keys", 1), Mechanic("doors", 1), Mechanic("mirrors", 3)


def facts(*lost: int) -> list[LevelFacts]:
    return [LevelFacts(level, 10, 10 - people, people) for level, people in enumerate(lost, start=1)]


def test_levels_are_cut_before_each_that_introduces_something() -> None:
    levels = facts(1, 2, 4, 0, 1)
    first, second = stretches({1: (KEYS, DOORS), 3: (MIRRORS,)}, levels)
    assert (first.new, first.before, first.introduces, first.combines) == (
        (KEYS, DOORS), (), levels[0], (levels[1],),
    )  # fmt: skip
    assert (second.new, second.before, second.introduces) == ((MIRRORS,), (KEYS, DOORS), levels[2])
    assert second.combines == (levels[3], levels[4])
    found = loss([first, second])
    assert (found.on_new, found.on_others, found.most) == (5, 3, (second,))


def test_levels_before_the_first_mechanic_introduce_nothing() -> None:
    opening, mirrors = stretches({3: (MIRRORS,)}, facts(0, 5, 0))
    assert (opening.new, opening.introduces, opening.lost_combining) == ((), None, 5)
    assert (mirrors.introduces, mirrors.combines) == (LevelFacts(3, 10, 10, 0), ())
    assert loss([opening, mirrors]).most == ()


def test_without_a_mechanic_or_a_level_there_is_nothing_to_say() -> None:
    assert stretches({}, facts(1, 2)) == ()
    assert stretches({1: (KEYS,)}, []) == ()
    assert stretches({7: (KEYS,)}, facts(1, 2)) == ()
    assert loss(()) == loss(stretches({}, facts(3)))


@given(st.lists(st.integers(0, 10), min_size=1, max_size=10), st.sets(st.integers(1, 12), min_size=1))
def test_every_lost_person_is_in_one_stretch(lost: list[int], starts: set[int]) -> None:
    levels = facts(*lost)
    found = stretches({level: (Mechanic(f"m{level}", level),) for level in starts}, levels)
    if any(level.level in starts for level in levels):
        covered = [level for one in found for level in (one.introduces, *one.combines) if level]
        assert covered == levels
        assert loss(found).on_new + loss(found).on_others == sum(lost)
    else:
        assert found == ()
