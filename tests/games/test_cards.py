"""The card of each environment of ours fits the environment, and together they rest on every prior."""

import json

import pytest

from engine.play import source as sources
from engine.play.game import Game
from playtest.rules.cards import CardContent, Prior, content_of, missing
from tests.games.rules import GAMES

CODES = sorted(folder.name for folder in GAMES.iterdir() if (folder / "metadata.json").exists())


def card(code: str) -> CardContent:
    return content_of(json.loads((GAMES / code / "card.json").read_text()))


@pytest.mark.parametrize("code", CODES)
def test_a_card_could_be_signed_and_names_the_controls_and_levels_of_its_environment(code: str) -> None:
    content = card(code)
    _, turn = Game.start(sources.load(GAMES / code), 0)
    assert missing(content) == []
    assert content.actions == sorted(turn.available_actions)
    assert content.levels <= turn.levels
    assert len({one.level for one in content.mechanics}) >= 3


def test_every_prior_is_in_one_of_them() -> None:
    assert {prior for code in CODES for prior in card(code).priors} == {prior.value for prior in Prior}


def test_every_set_of_controls_is_in_one_of_them() -> None:
    controls = {frozenset(card(code).controls) for code in CODES}
    wanted = (
        {"directions"},
        {"click"},
        {"directions", "click"},
        {"directions", "interact"},
        {"click", "undo"},
    )
    assert controls >= {frozenset(one) for one in wanted}
