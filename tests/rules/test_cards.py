"""What a card may say and lacks, and on which of its mechanics people are lost."""

from typing import Any

import pytest

from playtest.rules.cards import (
    CONTROL_ACTIONS,
    PRIOR_LABELS,
    CardContent,
    Control,
    Prior,
    changed_parts,
    content_of,
    introduced,
    missing,
)
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


GAMES = "Name at least 2 known games by their titles, or say how you searched for some."
BLACK = {"level": 1, "caption": "", "cells": "5" * 4096}


@pytest.mark.parametrize(
    ("changes", "lacks"),
    [
        ({}, []),
        ({"concept": " "}, ["Say the concept."]),
        ({"priors": [], "controls": []}, ["Choose the priors that it rests on.", "Choose its controls."]),
        ({"mechanics": content()["mechanics"][:1]}, ["Name at least 2 mechanics."]),
        (
            {"known_games": [*content()["known_games"], {"name": "Rush Hour", "new": ""}]},
            ["Say what is new compared with each known game."],
        ),
        (
            {"known_games": [*content()["known_games"][:1], {"name": "games with walls", "new": "Pits."}]},
            [GAMES],
        ),
        ({"known_games": [{"name": name, "new": "Pits."} for name in "AB"]}, [GAMES]),
        ({"known_games": [], "searched": "Lists of games with walls and pits, by title and tag."}, []),
        ({"known_games": [], "searched": "searched " * 40}, [GAMES]),
        ({"sketches": []}, ["Draw at least one level."]),
        ({"sketches": [BLACK]}, ["Draw each sketch in more than one colour."]),
        ({"sketches": content()["sketches"] * 2}, ["Draw each level once: two sketches are the same."]),
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
        ({"mechanics": [{"name": "x", "level": True, "description": ""}]}, "card_malformed"),
        ({"priors": ["luck"]}, "prior_unknown"),
        ({"controls": [[]]}, "card_malformed"),
        ({"controls": ["jump"]}, "control_unknown"),
        ({"known_games": content()["known_games"] * 41}, "card_too_large"),
        ({"sketches": [{"level": 1, "caption": "", "cells": CELLS[1:]}]}, "sketch_cells"),
        ({"sketches": [{"level": 1, "caption": "", "cells": CELLS.upper()}]}, "sketch_cells"),
    ],
)
def test_what_makes_no_sense_is_refused(changes: dict[str, Any], code: str) -> None:
    with rule_refused(code):
        content_of(content(**changes))
