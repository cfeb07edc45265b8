"""Edits are read, stored in one form, and refused with a code."""

from typing import Any

import pytest
from hypothesis import given

from engine.errors import TaskError
from engine.tasks.edits import KINDS, edit_in, edit_of
from tests.engine.tasks.strategies import ANY_EDITS


@given(value=ANY_EDITS)
def test_an_edit_is_read_back_from_the_text_that_the_journal_stores(value: dict[str, Any]) -> None:
    edit = edit_of(value)
    assert edit_in(edit.text) == edit
    assert edit.kind is KINDS[value["op"]]


def test_cells_are_stored_once_and_in_order() -> None:
    assert edit_of({"op": "paint", "colour": 1, "cells": [31, 0, 31]}).fields["cells"] == [0, 31]


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ([], "edit_malformed"),
        ({}, "edit_unknown"),
        ({"op": "solve"}, "edit_unknown"),
        ({"op": ["undo"]}, "edit_unknown"),
        ({"op": "undo", "steps": 2}, "edit_malformed"),
        ({"op": "resize", "height": 31, "width": 3}, "edit_malformed"),
        ({"op": "resize", "height": 0, "width": 3}, "edit_malformed"),
        ({"op": "paint", "colour": 10, "cells": [0]}, "edit_malformed"),
        ({"op": "paint", "colour": True, "cells": [0]}, "edit_malformed"),
        ({"op": "paint", "colour": 1, "cells": []}, "edit_malformed"),
        ({"op": "paint", "colour": 1, "cells": [900]}, "edit_malformed"),
        ({"op": "paint", "colour": 1, "cells": list(range(200))}, "edit_malformed"),
        ({"op": "fill", "colour": 1, "cell": 1.0}, "edit_malformed"),
        ({"op": "open", "input": 0}, "edit_malformed"),
        ({"op": "paste", "from": "solution", "rect": [0, 0, 1, 1], "cell": 0}, "edit_malformed"),
        ({"op": "paste", "from": "input", "rect": [0, 0, 1], "cell": 0}, "edit_malformed"),
        ({"op": "paste", "from": "input", "rect": [0, 30, 1, 1], "cell": 0}, "edit_malformed"),
        ({"op": "paste", "from": "demo_input", "rect": [0, 0, 1, 1], "cell": 0}, "edit_malformed"),
        ({"op": "paste", "from": "input", "pair": 1, "rect": [0, 0, 1, 1], "cell": 0}, "edit_malformed"),
    ],
)
def test_what_is_no_edit_is_refused(value: Any, code: str) -> None:
    with pytest.raises(TaskError) as raised:
        edit_of(value)
    assert raised.value.code == code


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000])
def test_text_that_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(TaskError):
        edit_in(text)
