"""Definitions that exist in Python and in JavaScript are equal."""

from engine.actions import ACTION_NAMES
from engine.frames import PALETTE, SIZE
from playtest.play.models import InputKind
from playtest.rules.labels import ACTION_LABELS, KEY_CAPS, OUTCOME_LABELS, RUN_OUTCOME_LABELS
from tests.play.browser.conftest import Run
from tests.play.browser.conftest import run as run


def test_the_palettes_agree(run: Run) -> None:
    assert run("shared/palette.js", "PALETTE") == [int(colour, 16) for colour in PALETTE]


def test_the_constants_of_a_frame_agree(run: Run) -> None:
    assert run("shared/codec.js", "[SIDE, CELLS]") == [SIZE, SIZE * SIZE]


def test_the_labels_of_actions_agree(run: Run) -> None:
    assert run("shared/actions.js", "ACTION_LABELS") == list(ACTION_LABELS)


def test_the_key_caps_agree(run: Run) -> None:
    actions = "[...Array(8).keys()]"
    assert run("review/descriptions.js", f"{actions}.map(keyCapOf)") == list(KEY_CAPS)


def test_each_action_has_a_label(run: Run) -> None:
    assert run("shared/actions.js", "Object.values(ACTION)") == list(range(len(ACTION_NAMES)))
    assert len(ACTION_LABELS) == len(ACTION_NAMES)


def test_the_kinds_of_input_agree(run: Run) -> None:
    assert run("shared/codec.js", "INPUT") == {kind.name: kind.value for kind in InputKind}


def test_the_labels_and_order_of_outcomes_agree(run: Run) -> None:
    assert run("shared/outcomes.js", "Object.entries(OUTCOME_LABELS)") == [
        [name, label] for name, label in OUTCOME_LABELS.items()
    ]
    assert run("shared/outcomes.js", "Object.entries(RUN_OUTCOME_LABELS)") == [
        [name, label] for name, label in RUN_OUTCOME_LABELS.items()
    ]
