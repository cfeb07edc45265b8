"""Two protocols differ in words exactly when they differ, field by field."""

from typing import Any

import pytest
from hypothesis import given

from playtest.rules.protocol import DEFAULT, Protocol
from playtest.rules.protocol_text import Difference, differences, statements
from tests.protocols import prescribed
from tests.rules.protocols import protocols


@given(protocols, protocols)
def test_different_protocols_have_a_difference_and_equal_ones_none(one: Protocol, other: Protocol) -> None:
    assert differences(one, one) == []
    assert bool(differences(one, other)) == (one != other)


@pytest.mark.parametrize(
    ("changes", "difference"),
    [
        ({"hard_seconds": 2730}, Difference("Hard limit", "30:00 min", "45:30 min")),
        ({"minimum_actions": 20}, Difference("Attempt: more actions than", "30", "20")),
        ({"people": 1_200}, Difference("People per environment", "10", "1,200")),
        ({"fee": 1_150}, Difference("Fee per session", "$115.00", "$1,150.00")),
        ({"effort": {"no_op_share": 0.7}}, Difference("Effort threshold no_op_share", "0.6", "0.7")),
        ({"environments": ("ck01", "wk01")}, Difference("Environments", "", "ck01, wk01")),
        ({"survey": ()}, Difference("Survey", statements(DEFAULT)["Survey"], "")),
    ],
)
def test_a_changed_field_is_said_with_both_values(changes: dict[str, Any], difference: Difference) -> None:
    assert differences(DEFAULT, prescribed(**changes)) == [difference]
