"""Invalid actions are refused."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import ActionError
from engine.play.actions import Action


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ((8,), "action_unknown"),
        ((-1,), "action_unknown"),
        (("1",), "action_unknown"),
        ((True,), "action_unknown"),
        ((6,), "coordinates_missing"),
        ((6, 3), "coordinates_missing"),
        ((6, 64, 0), "coordinates_out_of_range"),
        ((6, 0, -1), "coordinates_out_of_range"),
        ((6, 1.0, 2), "coordinates_out_of_range"),
        ((1, 3, 4), "coordinates_unexpected"),
    ],
)
def test_an_invalid_action_is_refused(arguments: tuple[Any, ...], code: str) -> None:
    with pytest.raises(ActionError) as raised:
        Action(*arguments)
    assert raised.value.code == code


def test_action_names_and_data_are_the_official_ones() -> None:
    assert [Action(number).name for number in (0, 1, 7)] == ["RESET", "ACTION1", "ACTION7"]
    assert (Action(6, 0, 63).name, Action(6, 0, 63).data, Action(5).data) == (
        "ACTION6",
        {"x": 0, "y": 63},
        {},
    )
