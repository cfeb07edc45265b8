"""Fee and bonus are posted once, when a session ends; adjustments need a second person."""

from decimal import Decimal
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction

from playtest.center.models import (
    Adjustment,
    AdjustmentDecision,
    AdjustmentReason,
    PaidSession,
    PayAccount,
    PayLine,
)
from playtest.center.pay import services
from playtest.center.pay.accounts import balance_of, session_pay
from playtest.center.pay.differences import differences, report
from playtest.center.pay.services import decide_adjustment, enter_adjustment, post_session
from playtest.center.tasks import post_missing
from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play.clock import now
from playtest.play.models import Session, SessionEnd
from playtest.play.sessions.ends import end_session
from playtest.play.sessions.services import check_in, create_session, decline_consent
from playtest.review.services.withdrawal import withdraw
from playtest.rules.attempt import Outcome
from tests import make
from tests.live.games import WALK
from tests.refusals import refused
from tests.staff import staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

WHY = "Waited for a broken station."


def ended(*, outcome: Outcome | None = Outcome.COMPLETED, **changes: Any) -> Session:
    """A session that staff ended after one environment with this outcome; None: nothing was opened."""
    session = make.session(make.study(people=100, **changes))
    if outcome is not None:
        fault: Any = {"fault_code": "x", "fault_message": "x"} if outcome == Outcome.FAULT else {}
        make.play(session, WALK if outcome == Outcome.COMPLETED else [4], outcome, **fault)
    end_session(session, SessionEnd.ENDED_BY_STAFF)
    session.refresh_from_db()
    return session


def lines(session: Session) -> list[tuple[str, str]]:
    found = PayLine.objects.filter(account__link__session=session).order_by("pk")
    return [(kind, f"{amount:.2f}") for kind, amount in found.values_list("kind", "amount")]


def adjust(session: Session, amount: str, role: Role = Role.PROCTOR) -> Adjustment:
    return enter_adjustment(session, Decimal(amount), AdjustmentReason.WAITED, WHY, staff(role))


@pytest.mark.parametrize(
    ("outcome", "changes", "expected"),
    [
        (Outcome.COMPLETED, {}, [("fee", "115.00"), ("bonus", "5.00")]),
        (Outcome.GAVE_UP, {}, [("fee", "115.00")]),
        (Outcome.FAULT, {}, [("fee", "115.00")]),
        (None, {}, [("fee", "115.00")]),
        (Outcome.COMPLETED, {"fee": "0", "bonus": "0.50"}, [("fee", "0.00"), ("bonus", "0.50")]),
        (Outcome.COMPLETED, {"bonus": "0"}, [("fee", "115.00")]),
    ],
)
def test_a_session_earns_its_fee_and_a_bonus_for_what_was_solved(
    outcome: Outcome | None, changes: dict[str, str], expected: list[tuple[str, str]]
) -> None:
    session = ended(outcome=outcome, **changes)
    assert lines(session) == expected
    assert differences() == []


def test_nothing_is_owed_without_consent() -> None:
    study = make.study()
    no_show, _ = create_session(study, new_participant(), None)
    end_session(no_show, SessionEnd.NO_SHOW)
    _, code = create_session(study, new_participant(), None)
    decline_consent(check_in(code, station=1)[0])
    assert not PayAccount.objects.exists()
    assert differences() == []


@pytest.mark.services
def test_nothing_is_posted_while_a_session_runs_and_nothing_twice() -> None:
    session = make.session(make.study())
    make.play(session, WALK, Outcome.COMPLETED)
    assert post_session(session) is None
    so_far = session_pay(session)
    assert so_far is not None
    assert (so_far.account, so_far.balance.owed) == (None, Decimal("120.00"))
    end_session(session, SessionEnd.ENDED_BY_STAFF)
    before = lines(session)
    assert post_session(session) is not None
    post_missing()
    assert lines(session) == before


def test_the_fee_is_that_of_the_protocol_the_session_follows() -> None:
    session = make.session(make.study(fee="115"))
    make.change(session.study, fee="140")
    end_session(session, SessionEnd.ENDED_BY_STAFF)
    assert lines(session) == [("fee", "115.00")]


@pytest.mark.services
def test_a_session_ends_although_posting_fails_and_the_worker_posts_later(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise DatabaseError("no room")

    with monkeypatch.context() as patched:
        patched.setattr(services, "post_line", fail)
        session = ended()
    assert session.ended_at is not None
    assert "after_end_failed" in caplog.text
    assert not PayAccount.objects.exists()
    assert [one.code for one in differences(session.study)] == ["not_posted"]
    post_missing()
    assert lines(session) == [("fee", "115.00"), ("bonus", "5.00")]
    assert report(session.study)["adds_up"]


def test_an_adjustment_counts_only_once_somebody_else_approved_it() -> None:
    session = ended()
    adjustment = adjust(session, "10")
    adjust(session, "5")
    assert balance_of(adjustment.account).owed == 120
    with refused("own_adjustment"):
        decide_adjustment(adjustment, approved=True, text="", staff=staff(Role.PROCTOR))
    decide_adjustment(adjustment, approved=True, text="", staff=staff(Role.LEAD))
    assert lines(session)[-1] == ("adjustment", "10.00")
    with refused("decided_already"):
        decide_adjustment(adjustment, approved=False, text=WHY, staff=staff(Role.LEAD))
    assert differences() == []


@pytest.mark.services
def test_the_database_refuses_a_decision_by_the_person_who_entered_it() -> None:
    adjustment = adjust(ended(), "10")
    values = {"adjustment": adjustment, "approved": True, "decided_at": now()}
    with pytest.raises(DatabaseError, match="cannot decide"), transaction.atomic():
        AdjustmentDecision.objects.create(decided_by=staff(Role.PROCTOR), **values)
    AdjustmentDecision.objects.create(decided_by=staff(Role.LEAD), **values)


def test_a_refusal_needs_a_text_and_posts_nothing() -> None:
    session = ended()
    adjustment = adjust(session, "10")
    with refused("reason_missing"):
        decide_adjustment(adjustment, approved=False, text=" ", staff=staff(Role.LEAD))
    decide_adjustment(adjustment, approved=False, text=WHY, staff=staff(Role.LEAD))
    assert len(lines(session)) == 2


def test_deductions_that_wait_count_towards_what_can_be_deducted() -> None:
    session = ended(outcome=None)
    first = adjust(session, "-100")
    with refused("beyond_owed"):
        adjust(session, "-15.01")
    second = adjust(session, "-15")
    decide_adjustment(first, approved=True, text="", staff=staff(Role.LEAD))
    decide_adjustment(second, approved=True, text="", staff=staff(Role.LEAD))
    assert balance_of(first.account).owed == 0


def test_an_adjustment_needs_a_reason_and_an_ended_session() -> None:
    running = make.session(make.study())
    with refused("session_running"):
        adjust(running, "10")
    session = ended()
    for text, code in (("short", "reason_missing"), ("x" * 501, "reason_too_long")):
        with refused(code):
            enter_adjustment(session, Decimal(1), AdjustmentReason.OTHER, text, staff(Role.LEAD))
    with refused("amount_invalid"):
        adjust(session, "0")


def test_a_person_who_was_sent_home_can_be_paid_without_a_fee() -> None:
    session, _ = create_session(make.study(), new_participant(), None)
    end_session(session, SessionEnd.CANCELLED)
    decide_adjustment(adjust(session, "20"), approved=True, text="", staff=staff(Role.LEAD))
    assert lines(session) == [("adjustment", "20.00")]
    assert differences() == []


def test_a_difference_is_named_and_a_correction_settles_it() -> None:
    session = ended(outcome=None)
    account = PayAccount.objects.get()
    PayLine.objects.create(account=account, kind="bonus", amount=Decimal(5), posted_at=now())
    found = differences()
    assert [(one.code, one.session) for one in found] == [("pay_differs", session.pk)]
    assert "Enter a correction of -$5.00" in found[0].sentence
    correction = enter_adjustment(session, Decimal(-5), AdjustmentReason.CORRECTION, WHY, staff(Role.PROCTOR))
    decide_adjustment(correction, approved=True, text="", staff=staff(Role.LEAD))
    assert differences() == []


@pytest.mark.services
def test_a_withdrawal_keeps_amounts_and_deletes_the_link_to_play() -> None:
    session = ended()
    account = PayAccount.objects.get()
    withdraw(session.participant, None)
    connection.check_constraints()
    assert not PaidSession.objects.exists()
    assert balance_of(account).owed == 120
    assert differences() == []
