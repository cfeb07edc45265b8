from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.pay import Pay
from tests.refusals import rule_refused

amounts = st.decimals(0, 10_000, places=2)


@pytest.mark.parametrize(("solved", "pay"), [(0, "115.00"), (1, "120.00"), (9, "160.00")])
def test_a_session_pays_its_fee_and_a_bonus_for_each_environment_solved(solved: int, pay: str) -> None:
    assert str(Pay(Decimal(115), Decimal(5)).of_session(solved)) == pay


@given(fee=amounts, bonus=amounts, solved=st.integers(0, 400))
def test_pay_is_exact_to_the_cent(fee: Decimal, bonus: Decimal, solved: int) -> None:
    pay = Pay(fee, bonus).of_session(solved)
    assert int(pay * 100) == int(fee * 100) + int(bonus * 100) * solved
    assert pay.as_tuple().exponent == -2


@pytest.mark.parametrize("amount", ["-0.01", "1.005", "NaN", "Infinity", "1E+30"])
def test_an_amount_that_is_no_sum_of_money_is_refused(amount: str) -> None:
    for fee, bonus in ((Decimal(amount), Decimal(5)), (Decimal(115), Decimal(amount))):
        with rule_refused("amount_invalid"):
            Pay(fee, bonus)


def test_fewer_than_no_environments_solved_is_refused() -> None:
    with rule_refused("solved_negative"):
        Pay(Decimal(115), Decimal(5)).of_session(-1)
