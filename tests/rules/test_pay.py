"""What people are told about pay, what a session pays, and ledgers that add up to the cent."""

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.pay import (
    Budget,
    BudgetLevel,
    LineKind,
    Pay,
    Unpaid,
    amount_text,
    balance,
    check_adjustment,
    payouts,
    plain,
)
from playtest.rules.protocol import DEFAULT, incentive
from tests.refusals import rule_refused

amounts = st.decimals(-10_000, 10_000, places=2)
lines = st.lists(st.tuples(st.sampled_from(LineKind), amounts), max_size=30)
unpaid = st.lists(
    st.builds(Unpaid, st.integers(1, 10**6), st.integers(1, 4), amounts, st.booleans()),
    unique_by=lambda one: one.account,
    max_size=20,
)


@given(lines, st.randoms(use_true_random=False))
def test_the_order_of_postings_does_not_matter(
    posted: list[tuple[LineKind, Decimal]], random: object
) -> None:
    shuffled = list(posted)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert balance(shuffled) == balance(posted)
    assert int(balance(posted).unpaid * 100) == sum(int(amount * 100) for _, amount in posted)


@given(unpaid)
def test_a_batch_pays_each_person_something_and_settles_what_it_names(accounts: list[Unpaid]) -> None:
    paid = payouts(accounts)
    for person, sessions in paid.items():
        assert sum(one.amount for one in sessions) > 0
        assert {one.person for one in sessions} == {person}
        assert all(one.chosen or one.amount < 0 for one in sessions)
        overpaid = {one.account for one in accounts if one.person == person and one.amount < 0}
        assert overpaid <= {one.account for one in sessions}
    settled = {one.account for sessions in paid.values() for one in sessions}
    later = payouts(one for one in accounts if one.account not in settled)
    assert not later, "a second batch of the same choice pays nothing"


def test_what_was_paid_too_much_is_carried_until_the_person_is_owed_more() -> None:
    overpaid, small, large = (
        Unpaid(1, 7, Decimal(-20)),
        Unpaid(2, 7, Decimal(20)),
        Unpaid(3, 7, Decimal(115)),
    )
    assert payouts([overpaid, small]) == {}
    assert payouts([overpaid, small, large]) == {7: [overpaid, small, large]}


@pytest.mark.parametrize(
    ("amount", "code"),
    [
        ("0", "amount_invalid"),
        ("1.001", "amount_invalid"),
        ("NaN", "amount_invalid"),
        ("1000000", "amount_invalid"),
        ("-100.01", "beyond_owed"),
    ],
)
def test_an_adjustment_that_cannot_be_is_refused(amount: str, code: str) -> None:
    with rule_refused(code):
        check_adjustment(Decimal(amount), Decimal(115), "USD", Decimal(-15))


def test_all_that_is_owed_can_be_deducted_and_not_a_cent_more() -> None:
    check_adjustment(Decimal("-100.00"), Decimal(115), "USD", Decimal(-15))
    check_adjustment(Decimal("0.01"), Decimal(0), "USD")


def test_the_budget_can_be_reached_exactly_and_not_by_a_cent_more() -> None:
    budget = Budget(Decimal(1000), 80)
    assert budget.allows(Decimal(885), Decimal(115))
    assert not budget.allows(Decimal("885.01"), Decimal(115))
    assert budget.level(Decimal("799.99"), Decimal(115)) == BudgetLevel.WITHIN
    assert budget.level(Decimal(800), Decimal(115)) == BudgetLevel.WARNING
    assert budget.level(Decimal("885.01"), Decimal(115)) == BudgetLevel.REACHED
    assert budget.sessions_left(Decimal(770), Decimal(115)) == 2
    assert budget.sessions_left(Decimal(2000), Decimal(115)) == 0
    assert budget.sessions_left(Decimal(0), Decimal(0)) is None


@pytest.mark.parametrize(
    ("cap", "percent", "code"),
    [
        ("-1", 80, "cap_invalid"),
        ("0.0001", 80, "cap_invalid"),
        ("5", 0, "percent_invalid"),
        ("5", 101, "percent_invalid"),
    ],
)
def test_a_budget_that_cannot_be_is_refused(cap: str, percent: int, code: str) -> None:
    with rule_refused(code):
        Budget(Decimal(cap), percent)


@given(mean=st.decimals(0, 20, places=3), so_far=st.integers(0, 20))
def test_a_running_session_is_expected_to_earn_the_mean_or_what_it_has(mean: Decimal, so_far: int) -> None:
    expected = Pay(Decimal(115), Decimal(5)).expected(mean, so_far)
    assert expected >= 115 + 5 * so_far
    assert abs(expected - (115 + 5 * max(mean, Decimal(so_far)))) <= Decimal("0.005")


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
        ("19000", "JPY", "¥19,000"),
        ("3.5", "KWD", "KWD 3.500"),
        ("-3.5", "KWD", "-KWD 3.500"),
    ],
)
def test_an_amount_has_the_decimals_of_its_currency(amount: str, currency: str, text: str) -> None:
    assert amount_text(Decimal(amount), currency) == text


sums = st.decimals(0, 10_000, places=2)


@pytest.mark.parametrize(("solved", "pay"), [(0, "115.00"), (1, "120.00"), (9, "160.00")])
def test_a_session_pays_its_fee_and_a_bonus_for_each_environment_solved(solved: int, pay: str) -> None:
    assert str(Pay(Decimal(115), Decimal(5)).of_session(solved)) == pay


@given(fee=sums, bonus=sums, solved=st.integers(0, 400))
def test_pay_is_exact_to_the_cent(fee: Decimal, bonus: Decimal, solved: int) -> None:
    pay = Pay(fee, bonus).of_session(solved)
    assert int(pay * 100) == int(fee * 100) + int(bonus * 100) * solved
    assert pay.as_tuple().exponent == -2


@pytest.mark.parametrize("amount", ["-0.01", "1.0005", "NaN", "Infinity", "1E+30"])
def test_an_amount_that_is_no_sum_of_money_is_refused(amount: str) -> None:
    for fee, bonus in ((Decimal(amount), Decimal(5)), (Decimal(115), Decimal(amount))):
        with rule_refused("amount_invalid"):
            Pay(fee, bonus)


def test_an_amount_has_no_more_decimals_than_its_currency() -> None:
    Pay(Decimal("3.125"), Decimal(0)).check("KWD")
    for amount, currency in (("1.005", "USD"), ("0.5", "JPY"), ("1.5", "JPY")):
        with rule_refused("amount_invalid"):
            Pay(Decimal(115), Decimal(amount)).check(currency)


@given(amount=st.decimals(-1_000, 1_000, places=3))
def test_an_amount_is_the_same_whatever_its_zeros(amount: Decimal) -> None:
    assert plain(amount) == amount
    assert str(plain(amount)) == str(plain(amount.normalize()))


def test_fewer_than_no_environments_solved_is_refused() -> None:
    with rule_refused("solved_negative"):
        Pay(Decimal(115), Decimal(5)).of_session(-1)
