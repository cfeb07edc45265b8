"""Two people or programs that change pay at the same moment: everything is owed and paid once."""

import time
from collections.abc import Iterator

import pytest

from tests.live.colleagues import Act, Colleagues, colleagues_of
from tests.live.server import Server

pytestmark = pytest.mark.postgresql

ROUNDS = 2
FEE = 115.0
SESSION_SECONDS = 1


@pytest.fixture(scope="module")
def colleagues(server: Server) -> Iterator[Colleagues]:
    with colleagues_of(server) as both:
        yield both


def seeded(server: Server, stage: str, **study: int) -> tuple[int, list[int]]:
    """A study and its sessions in this stage."""
    found = server.seed(pool=["wk01"], people=ROUNDS, stage=stage, study={"people": 100, **study})
    return found["study"], [person["session"] for person in found["people"]]


def lines(server: Server, study: int) -> list[tuple[int, str, float]]:
    """Session, kind and amount of each line of the study's ledger."""
    found = server.rows(
        "SELECT link.session_id, line.kind, line.amount FROM center_payline line"
        " JOIN center_payaccount account ON account.id = line.account_id"
        " LEFT JOIN center_paidsession link ON link.account_id = account.id"
        f" WHERE account.study_id = {study} ORDER BY link.session_id, line.id"
    )
    return [(session, kind, float(amount)) for session, kind, amount in found]


def fees(sessions: list[int]) -> list[tuple[int, str, float]]:
    return [(session, "fee", FEE) for session in sessions]


@pytest.mark.parametrize("other", [True, False], ids=["both approve", "one refuses"])
def test_one_of_two_simultaneous_decisions_about_an_adjustment_counts(
    server: Server, colleagues: Colleagues, *, other: bool
) -> None:
    study, sessions = seeded(server, "ended")
    for session in sessions:
        on = server.seed(adjust=session, amount="10")["adjustment"]
        options = ({"approved": approved, "text": "Seen by me, today."} for approved in (True, other))
        found = colleagues.at_once(*(Act("decide_adjustment", on, (), option) for option in options))
        assert found == ["done", "decided_already"]
        decided = server.rows(f"SELECT approved FROM center_adjustmentdecision WHERE adjustment_id = {on}")
        posted = [line for line in lines(server, study) if line[:2] == (session, "adjustment")]
        assert [bool(approved) for (approved,) in decided] == [bool(posted)]
        assert posted in ([], [(session, "adjustment", 10)])


def test_one_of_two_simultaneous_batches_pays(server: Server, colleagues: Colleagues) -> None:
    for _ in range(ROUNDS):
        study, sessions = seeded(server, "ended")
        assert colleagues.at_once(*[Act("make_batch", study)] * 2) == ["done", "nothing_to_pay"]
        made = server.rows(f"SELECT total, people FROM center_paybatch WHERE study_id = {study}")
        assert [(float(total), people) for total, people in made] == [(ROUNDS * FEE, ROUNDS)]
        paid = [(session, "payment", -FEE) for session in sessions]
        assert lines(server, study) == sorted(fees(sessions) + paid)


def test_a_batch_beside_an_approval_leaves_or_pays_the_adjustment(
    server: Server, colleagues: Colleagues
) -> None:
    for _ in range(ROUNDS):
        study, (session, *_) = seeded(server, "ended")
        on = server.seed(adjust=session, amount="-10")["adjustment"]
        approve = Act("decide_adjustment", on, (), {"approved": True, "text": ""})
        assert colleagues.at_once(approve, Act("make_batch", study)) == ["done", "done"]
        unpaid = sum(amount for _, _, amount in lines(server, study))
        assert unpaid in (0, -10)
        (total,) = (
            float(row[0])
            for row in server.rows(f"SELECT total FROM center_paybatch WHERE study_id = {study}")
        )
        assert total == ROUNDS * FEE - 10 - unpaid


def test_one_of_two_simultaneous_receipts_is_the_original(server: Server, colleagues: Colleagues) -> None:
    _, sessions = seeded(server, "ended")
    for session in sessions:
        account = server.seed(adjust=session, amount="10")["account"]
        assert colleagues.at_once(*[Act("issue_receipt", account)] * 2) == ["done", "done"]
        assert server.rows(f"SELECT edition FROM center_receipt WHERE account_id = {account}") == [(1,)]


def test_a_session_that_the_sweep_and_its_page_end_at_once_is_posted_once(
    server: Server, colleagues: Colleagues
) -> None:
    limits = {"soft_seconds": SESSION_SECONDS, "hard_seconds": SESSION_SECONDS}
    study, sessions = seeded(server, "playing", session_seconds=SESSION_SECONDS, **limits)
    time.sleep(SESSION_SECONDS)
    for session in sessions:
        assert colleagues.at_once(Act("sweep", 0), Act("page", session)) == ["done", "done"]
    assert lines(server, study) == fees(sessions)


def test_two_workers_that_post_what_is_missing_post_it_once(server: Server, colleagues: Colleagues) -> None:
    study, sessions = seeded(server, "unposted")
    assert lines(server, study) == []
    assert colleagues.at_once(*[Act("post_missing", 0)] * 2) == ["done", "done"]
    assert lines(server, study) == fees(sessions)
