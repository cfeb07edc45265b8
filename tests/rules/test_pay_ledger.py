"""Ledgers add up to the cent in any order; batches pay nobody twice; budgets are kept to the cent."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.pay import Budget, BudgetLevel, LineKind, Pay, Unpaid, balance, check_adjustment, payouts
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
        check_adjustment(Decimal(amount), Decimal(115), Decimal(-15))


def test_all_that_is_owed_can_be_deducted_and_not_a_cent_more() -> None:
    check_adjustment(Decimal("-100.00"), Decimal(115), Decimal(-15))
    check_adjustment(Decimal("0.01"), Decimal(0))


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
        ("0.001", 80, "cap_invalid"),
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
