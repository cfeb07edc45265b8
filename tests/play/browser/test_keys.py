"""What each key does, by the controls an environment offers."""

from typing import Any

import pytest

from tests.play.browser.conftest import Run

DIRECTIONS, INTERACT, CLICK, UNDO = 0b11110, 1 << 5, 1 << 6, 1 << 7
EVERYTHING = 0xFF


def meaning(run: Run, keys: str, available: int, module: str = "play/controls.js") -> Any:
    """`keys` is a key with its modifiers, as in "Shift+ArrowUp"; its place follows a colon."""
    *modifiers, key = keys.split("+")
    key, _, code = key.partition(":")
    event = {f"{name.lower()}Key": True for name in modifiers} | {"key": key or " ", "code": code}
    return run(
        module,
        'meaning(new KeyboardEvent("keydown", event), available)',
        event=event,
        available=available,
    )


@pytest.mark.parametrize(
    ("keys", "action"),
    [
        ("ArrowUp", 1),
        ("w", 1),
        ("W", 1),
        ("ArrowDown", 2),
        ("s", 2),
        ("ArrowLeft", 3),
        ("a", 3),
        ("ArrowRight", 4),
        ("d", 4),
        ("ц:KeyW", 1),  # a layout without Latin letters
        ("z:KeyW", 7),  # AZERTY: what is printed on the key counts
        ("Process:KeyW", 1),  # an input method
        ("", 5),
        ("f", 5),
        ("z", 7),
        ("Ctrl+z", 7),
        ("Meta+z", 7),
        ("r", 0),
    ],
)
def test_keys_make_actions(run: Run, keys: str, action: int) -> None:
    assert meaning(run, keys, EVERYTHING) == {"kind": "action", "action": action}


@pytest.mark.parametrize(
    "keys",
    [
        "Ctrl+r",
        "Meta+r",
        "Alt+ArrowLeft",
        "Ctrl+w",
        "Ctrl+Shift+z",
        "q",
        "Tab",
        "F5",
        "Escape",
        ",:KeyW",
        "é:KeyW",
    ],
)
def test_shortcuts_of_the_browser_are_not_intercepted(run: Run, keys: str) -> None:
    assert meaning(run, keys, EVERYTHING) is None


@pytest.mark.parametrize(
    ("keys", "meant"),
    [
        ("4", {"kind": "colour", "colour": 4}),
        ("é:Digit2", {"kind": "colour", "colour": 2}),  # AZERTY
        ("я:KeyZ", {"kind": "command", "command": "undo"}),
        ("Ctrl+я:KeyZ", {"kind": "command", "command": "undo"}),
        ("Alt+ArrowDown:ArrowDown", {"kind": "command", "command": "higher"}),
        ("Shift+!:Digit1", None),
        (";:KeyZ", None),  # Dvorak: nothing by the place of punctuation
    ],
)
def test_the_task_editor_takes_keys_as_the_board_does(run: Run, keys: str, meant: Any) -> None:
    assert meaning(run, keys, 0, "play/tasks/editor-keys.js") == meant


@pytest.mark.parametrize(
    ("keys", "right", "down"),
    [("ArrowUp", 0, -1), ("d", 1, 0), ("Shift+ArrowDown", 0, 4), ("Shift+A", -4, 0)],
)
def test_arrows_move_the_cell_cursor_if_no_directions_are_available(
    run: Run, keys: str, right: int, down: int
) -> None:
    assert meaning(run, keys, CLICK | UNDO) == {"kind": "mark", "right": right, "down": down}


def test_shift_and_arrows_move_the_cell_cursor_if_directions_are_available(run: Run) -> None:
    assert meaning(run, "Shift+ArrowLeft", CLICK | DIRECTIONS) == {"kind": "mark", "right": -1, "down": 0}
    assert meaning(run, "ArrowLeft", CLICK | DIRECTIONS) == {"kind": "action", "action": 3}


def test_enter_clicks_and_space_clicks_if_it_has_no_other_action(run: Run) -> None:
    assert meaning(run, "Enter", CLICK | INTERACT) == {"kind": "click"}
    assert meaning(run, "", CLICK) == {"kind": "click"}
    assert meaning(run, "", CLICK | INTERACT) == {"kind": "action", "action": 5}
    assert meaning(run, "Enter", DIRECTIONS) is None
