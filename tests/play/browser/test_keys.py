"""What each key does, by the controls an environment offers."""

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.play.browser.conftest import Run

DIRECTIONS, INTERACT, CLICK, UNDO = 0b11110, 1 << 5, 1 << 6, 1 << 7
EVERYTHING = 0xFF


def meaning(run: Run, keys: str, available: int, module: str = "play/keys.js") -> Any:
    """`keys` is a key with its modifiers, as in "Shift+ArrowUp"; its place follows a colon."""
    *modifiers, key = keys.split("+")
    key, _, code = key.partition(":")
    event = {f"{name.lower()}Key": True for name in modifiers} | {"key": key or " ", "code": code}
    return run(
        module, 'meaning(new KeyboardEvent("keydown", event), available)', event=event, available=available
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


@pytest.mark.parametrize(
    ("keys", "name"),
    [
        ("Process:KeyW", "w"),  # an input method
        ("Dead:KeyZ", "z"),
        ("लि:KeyF", "f"),
        ("َ:KeyA", "a"),  # an Arabic vowel sign
        ("q:KeyA", "q"),  # AZERTY
        ("à:Digit0", "0"),
        (",:KeyW", ","),  # Dvorak
        ("':KeyW", "'"),  # Hebrew
        ("б:Comma", "Comma"),  # noqa: RUF001
        ("Process:Comma", "Comma"),
    ],
)
def test_a_key_is_known_by_its_label_or_else_by_its_place(run: Run, keys: str, name: str) -> None:
    key, _, code = keys.partition(":")
    assert run("play/keys.js", "keyName({ key, code, shiftKey: false })", key=key, code=code) == name


PLACES = [f"Key{letter}" for letter in "QWERTYUIOPASDFGHJKLZXCVBNM"] + ["Comma", "Semicolon", "Slash"]
LAYOUTS = {
    "QWERTY": ("qwertyuiopasdfghjklzxcvbnm,;/", "WASDFZR"),
    "AZERTY": ("azertyuiopqsdfghjklwxcvbn,;m!", "WASDFZR"),
    "Dvorak": ("',.pyfgcrlaoeuidhtn;qjkxbmwsz", "WASDFZR"),
    "Russian": ("йцукенгшщзфывапролдячсмитьбж.", "ЦФЫВАЯК"),
    "Hebrew": ("/'קראטוןםפשדגכעיחלךזסבהנמצתף.", "שדגכזר"),  # W writes punctuation: its arrow is left
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_letter_on_a_cap_works_on_this_keyboard(run: Run, layout: str) -> None:
    """Each label leads back to its letter."""
    written, expected = LAYOUTS[layout]
    printed = dict(zip(PLACES, written, strict=True))
    found = run(
        "play/keys.js",
        """[..."wasdfzr"].map((letter) => {
            const label = labelOf(letter, new Map(Object.entries(printed)));
            const at = Object.entries(printed).find(([, key]) => key === label.toLowerCase());
            return [label, at ? keyName({ code: at[0], key: at[1], shiftKey: false }) : letter, letter];
        })""",
        printed=printed,
    )
    assert "".join(label for label, _, _ in found) == expected
    assert all(name == letter for _, name, letter in found)


def test_labels_are_learned_from_what_is_pressed(run: Run) -> None:
    labels = run(
        "play/keys.js",
        """(() => {
            const layout = new Map(Object.entries({ KeyW: "w", KeyA: "a" }));
            const pressed = (key, code, held = {}) => {
                const isNew = learn(layout, new KeyboardEvent("keydown", { key, code, ...held }));
                return [isNew, labelOf("w", layout) + labelOf("a", layout)];
            };
            return [
                pressed("W", "KeyW", { shiftKey: true }), pressed("Process", "KeyW"), pressed("Tab", "Tab"),
                pressed("ц", "KeyW"), pressed("Ф", "KeyA"), pressed("w", "KeyW"),
            ];
        })()""",
    )
    assert labels == [[False, "WA"]] * 3 + [[True, "ЦA"], [True, "ЦФ"], [True, "WA"]]


def test_a_key_that_nobody_can_know_is_told_in_words(bare: Page) -> None:
    said = bare.evaluate("""async () => {
        await import("/static/play/notices.js");
        document.body.innerHTML = "<time-announcement></time-announcement><input>";
        const press = (on, key, code) => {
            on.dispatchEvent(new KeyboardEvent("keydown", { key, code, bubbles: true }));
            return document.querySelector("time-announcement").textContent;
        };
        const field = document.querySelector("input");
        return [
            press(field, "Unidentified", ""),
            press(document.body, "Process", "KeyW"),
            press(document.body, "Process", ""),
        ];
    }""")
    assert said[:2] == ["", ""]
    assert said[2].startswith("This page cannot tell which key that was.")


def test_the_replay_takes_keys_as_the_board_does(run: Run) -> None:
    moved = run(
        "review/shortcuts.js",
        """(() => {
            const moved = [];
            const replay = { playback: { step: (unit, by) => moved.push(by) } };
            document.body.addEventListener("keydown", (event) => runShortcut(event, replay));
            for (const [key, code, shiftKey] of pressed) {
                document.body.dispatchEvent(new KeyboardEvent("keydown", { key, code, shiftKey }));
            }
            return moved;
        })()""",
        pressed=[
            ["s", "KeyS", False],
            ["S", "KeyS", False],  # Caps Lock
            ["ы", "KeyS", False],
            ["Ы", "KeyS", True],
            ["[", "KeyS", False],  # printed on this key
        ],
    )
    assert moved == [1, 1, 1, -1, -1]
