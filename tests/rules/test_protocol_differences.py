"""Two protocols differ in words exactly when they differ, field by field."""

from typing import Any

import pytest
from hypothesis import given

from playtest.rules.protocol import DEFAULT, Protocol
from playtest.rules.protocol_text import Difference, consent_warning, differences, statements
from tests.protocols import prescribed
from tests.rules.protocols import protocols


@given(protocols, protocols)
def test_different_protocols_have_a_difference_and_equal_ones_none(one: Protocol, other: Protocol) -> None:
    assert differences(one, one, "USD") == []
    assert bool(differences(one, other, "USD")) == (one != other)


@pytest.mark.parametrize(
    ("changes", "difference"),
    [
        ({"hard_seconds": 2730}, Difference("Hard limit", "30:00 min", "45:30 min")),
        ({"more_than_actions": 20}, Difference("Attempt: more actions than", "30", "20")),
        ({"people": 1_200}, Difference("People per environment", "10", "1,200")),
        ({"fee": 1_150}, Difference("Fee per session", "$115.00", "$1,150.00")),
        ({"effort": {"no_op_share": 0.7}}, Difference("Effort threshold no_op_share", "0.6", "0.7")),
        ({"environments": ("ck01", "wk01")}, Difference("Environments", "", "ck01, wk01")),
        ({"survey": ()}, Difference("Survey", statements(DEFAULT, "USD")["Survey"], "")),
    ],
)
def test_a_changed_field_is_described_with_both_values(
    changes: dict[str, Any], difference: Difference
) -> None:
    assert differences(DEFAULT, prescribed(**changes), "USD") == [difference]


@pytest.mark.parametrize(
    ("text", "seconds", "stated"),
    [
        ("You may stop at any time.", 3600, None),
        ("You play for up to 60 minutes.", 3600, None),
        ("You play for up to 90 minutes.", 3600, "90"),
        ("After 20 minutes on a game we ask you to stop. It all takes 60 minutes.", 3600, None),
        ("After 20 minutes on a game we ask you to stop.", 3600, "20"),
        ("A 90-minute session.", 3600, "90"),
        ("It takes 1 minute.", 90, "1"),
        ("It takes 1.5 minutes, or 1,000 minutes, or 2 hours, or 2 minutest.", 3600, None),
        (f"It takes {'9' * 5_000} minutes.", 3600, None),
    ],
)
def test_the_minutes_in_a_consent_text_are_compared_with_the_session(
    text: str, seconds: int, stated: str | None
) -> None:
    found = consent_warning(prescribed(consent_text=text, session_seconds=seconds))
    limit = {3600: "60", 90: "1.5"}[seconds]
    assert found == (
        f"The consent text says {stated} minutes; the session limit is {limit}." if stated else ""
    )
