"""Numbers that people write into addresses and forms."""

import pytest

from playtest.rules.text import whole_number


@pytest.mark.parametrize(("text", "number"), [("0", 0), ("7", 7), ("007", 7), ("9" * 18, 10**18 - 1)])
def test_digits_are_a_number(text: str, number: int) -> None:
    assert whole_number(text) == number


@pytest.mark.parametrize(
    "text", ["", " 7", "-1", "+1", "1.0", "1e3", "one", "²", "٣", "0x10", "9" * 19, "9" * 4301]
)
def test_other_text_is_not_a_number(text: str) -> None:
    assert whole_number(text) is None
