"""The random share of sessions to review, marks of redundancy, and records of one person."""

from contextlib import suppress
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.agreement import is_drawn
from playtest.rules.errors import RuleError
from playtest.rules.inference.shares import share
from playtest.rules.redundancy import Standing, check_answer, standing
from playtest.rules.same_person import groups

seals = st.lists(st.binary(min_size=32, max_size=32), max_size=5)
shares = st.floats(0, 1)


@given(st.integers(1), seals, shares, shares)
def test_who_is_drawn_is_drawn_at_every_larger_share(
    session: int, found: list[bytes], one: float, other: float
) -> None:
    smaller, larger = sorted((one, other))
    assert is_drawn(session, found, larger) or not is_drawn(session, found, smaller)


def test_none_and_all_and_nobody() -> None:
    seal = sha256(b"seal").digest()
    assert not is_drawn(1, [seal], 0)
    assert is_drawn(1, [seal], 1)
    assert not is_drawn(1, [], 1)


def test_a_tenth_is_drawn_and_what_happened_last_decides() -> None:
    ends = [sha256(str(number).encode()).digest() for number in range(4000)]
    drawn = [is_drawn(7, [b"first", end], 0.1) for end in ends]
    found = share(sum(drawn), len(drawn))
    assert found.low < 0.1 < found.high


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


RECORDS = st.integers(0, 9)
LINKS = st.lists(st.tuples(RECORDS, RECORDS).filter(lambda link: link[0] != link[1]), max_size=12)


def reached(links: list[tuple[int, int]], record: int) -> set[int]:
    """Who is found by following links from one record, one after the other."""
    found, waiting = {record}, [record]
    while waiting:
        here = waiting.pop()
        for link in links:
            if here in link:
                waiting += set(link) - found
                found |= set(link)
    return found


@given(LINKS)
def test_a_person_has_every_record_that_links_lead_to_and_no_other(links: list[tuple[int, int]]) -> None:
    found = groups(links)
    assert set(found) == {record for link in links for record in link}
    assert all(set(found[record]) == reached(links, record) for record in found)
