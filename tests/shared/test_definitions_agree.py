"""Definitions that exist in Python and in JavaScript are equal."""

from engine.play.actions import ACTION_NAMES
from engine.play.frames import PALETTE, SIZE
from playtest.play.models import InputKind
from playtest.rules.labels import ACTION_LABELS, KEY_CAPS, OUTCOME_LABELS
from tests.play.browser.conftest import Run
from tests.play.browser.conftest import run as run


def test_what_python_and_javascript_define_is_equal(run: Run) -> None:
    assert run("shared/palette.js", "PALETTE") == [int(colour, 16) for colour in PALETTE]
    assert run("shared/codec.js", "[SIDE, CELLS]") == [SIZE, SIZE * SIZE]
    assert run("shared/codec.js", "INPUT") == {kind.name: kind.value for kind in InputKind}
    assert run("shared/actions.js", "ACTION_LABELS") == list(ACTION_LABELS)
    assert run("shared/actions.js", "Object.values(ACTION)") == list(range(len(ACTION_NAMES)))
    assert len(ACTION_LABELS) == len(ACTION_NAMES)
    assert run("review/descriptions.js", "[...Array(8).keys()].map(keyCapOf)") == list(KEY_CAPS)


def test_the_labels_and_order_of_outcomes_are_equal(run: Run) -> None:
    labels = [list(pair) for pair in OUTCOME_LABELS.items()]
    assert run("shared/outcomes.js", "Object.entries(OUTCOME_LABELS)") == labels
