"""A mark of redundancy is a claim that another person agrees to or lifts."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.errors import RuleError
from playtest.rules.redundancy import Standing, check_answer, standing

ANSWERS = st.lists(st.tuples(st.integers(1, 3), st.booleans()), max_size=8)


@given(marked_by=st.none() | st.integers(1, 3), tried=ANSWERS)
def test_nobody_settles_their_own_mark_and_whatever_is_lifted_stays_so(
    marked_by: int | None, tried: list[tuple[int, bool]]
) -> None:
    accepted: list[bool] = []
    for by, agrees in tried:
        before = standing(accepted)
        if by == marked_by:
            with pytest.raises(RuleError, match="Somebody else"):
                check_answer(before, agrees=agrees, marked_by=marked_by, by=by)
            continue
        with suppress(RuleError):
            check_answer(before, agrees=agrees, marked_by=marked_by, by=by)
            assert before.in_force
            accepted.append(agrees)
            assert standing(accepted) is (Standing.AGREED if agrees else Standing.LIFTED)
    assert accepted in ([], [True], [False], [True, False])
    assert standing(accepted).in_force == (False not in accepted)


def test_a_mark_whose_author_is_unknown_is_answered_by_anybody() -> None:
    check_answer(Standing.OPEN, agrees=True, marked_by=None, by=1)


def test_agreement_can_still_be_lifted_but_not_repeated() -> None:
    check_answer(Standing.AGREED, agrees=False, marked_by=1, by=2)
    with pytest.raises(RuleError, match="agreed to this mark already"):
        check_answer(Standing.AGREED, agrees=True, marked_by=1, by=2)
