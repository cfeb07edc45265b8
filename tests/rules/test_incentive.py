"""What people are told about time and pay has the protocol's numbers, and says what earns nothing."""

from dataclasses import replace
from decimal import Decimal

import pytest

from playtest.rules.pay import Pay, amount_text
from playtest.rules.protocol import DEFAULT
from playtest.rules.protocol_text import incentive


def test_the_sentences_have_the_numbers_of_the_protocol() -> None:
    assert incentive(DEFAULT, "USD") == [
        "You play small computer games for up to 90 minutes.",
        "You are paid $115.00 for taking part, however many games you solve.",
        "Each game that you solve completely, with all its levels, earns $5.00 more.",
        "Trying many games without solving them earns nothing more. Take your time with each.",
        "You may leave a game, or stop altogether, at any time.",
    ]


@pytest.mark.parametrize(
    ("fee", "bonus", "absent"),
    [("0", "5", "for taking part"), ("115", "0", "solve completely"), ("115", "0", "Trying many")],
)
def test_nothing_is_said_of_pay_that_there_is_not(fee: str, bonus: str, absent: str) -> None:
    paid = replace(DEFAULT, pay=Pay(Decimal(fee), Decimal(bonus)))
    assert absent not in " ".join(incentive(paid, "USD"))


@pytest.mark.parametrize(
    ("amount", "currency", "text"),
    [
        ("5", "USD", "$5.00"),
        ("-7.5", "USD", "-$7.50"),
        ("1250.5", "EUR", "€1,250.50"),
        ("12", "CHF", "CHF 12.00"),
    ],
)
def test_amounts_are_written_in_the_centers_currency(amount: str, currency: str, text: str) -> None:
    assert amount_text(Decimal(amount), currency) == text
