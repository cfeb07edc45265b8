"""A batch pays what is unpaid once, without play data; budgets refuse sessions beyond the cap."""

import csv
from datetime import date, timedelta
from decimal import Decimal
from io import StringIO
from zoneinfo import ZoneInfo

import pytest
from pytest_django import Settings

from playtest.center.models import AdjustmentReason, PayAccount, PayLine
from playtest.center.pay.accounts import balance_of, payouts_of, state_of
from playtest.center.pay.differences import differences
from playtest.center.pay.payments import (
    issue_receipt,
    make_batch,
    note_sent,
    pay_in_cash,
    take_back,
    undo_cash,
)
from playtest.center.pay.services import decide_adjustment, enter_adjustment, set_budget
from playtest.center.pay.totals import study_pay, warnings
from playtest.center.pay.views import payer_file
from playtest.center.schedule.times import local, midnight
from playtest.people.models import Participant
from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Session, SessionEnd, Study
from playtest.play.sessions.ends import end_session
from playtest.play.sessions.services import create_session
from playtest.rules.attempt import Outcome
from playtest.rules.pay import BudgetLevel
from tests import make
from tests.live.games import WALK
from tests.refusals import refused
from tests.staff import staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

WHY = "Agreed with the sponsor."


def session_of(study: Study, person: Participant | None = None) -> Session:
    session = make.session(study, person)
    end_session(session, SessionEnd.ENDED_BY_STAFF)
    return session


def adjust(session: Session, amount: str) -> None:
    entered = enter_adjustment(session, Decimal(amount), AdjustmentReason.OTHER, WHY, staff(Role.PROCTOR))
    decide_adjustment(entered, approved=True, text="", staff=staff(Role.LEAD))


@pytest.mark.services
def test_a_batch_pays_once_and_its_file_says_nothing_about_play() -> None:
    study = make.study(people=100)
    session = make.session(study, new_participant("=R-17"))
    make.play(session, WALK, Outcome.COMPLETED)
    end_session(session, SessionEnd.ENDED_BY_STAFF)
    session_of(study)
    batch = make_batch(None, None, None, staff(Role.LEAD))
    assert (batch.total, batch.people) == (Decimal(235), 2)
    with refused("nothing_to_pay"):
        make_batch(study, None, None, staff(Role.LEAD))
    rows = list(csv.DictReader(StringIO(payer_file(payouts_of(batch), batch.currency))))
    number = PayAccount.objects.earliest("pk").number
    today = local(now()).date().isoformat()
    assert rows[0] == {
        "receipts": number, "date": today, "payee": "'=R-17", "amount": "120.00", "currency": "USD",
        "address": "",
    }  # fmt: skip
    assert study_pay(study).balance.unpaid == 0
    assert differences() == []


def test_a_batch_is_in_one_currency_that_later_settings_do_not_change(settings: Settings) -> None:
    settings.CENTER_CURRENCY = "JPY"
    session_of(make.study(people=100, fee=Decimal(19_000)))
    settings.CENTER_CURRENCY = "KWD"
    session_of(make.study(people=100, fee=Decimal("3.125")))
    batch = make_batch(None, None, None, staff(Role.LEAD))
    earlier = make_batch(None, None, None, staff(Role.LEAD), "JPY")
    lines = [payer_file(payouts_of(one), one.currency).splitlines()[1] for one in (batch, earlier)]
    assert [line.split(",")[-3:-1] for line in lines] == [["3.125", "KWD"], ["19000", "JPY"]]
    assert differences() == []


def test_what_is_signed_is_never_paid_again() -> None:
    session = session_of(make.study(people=100))
    account, lead = session.pay.account, staff(Role.LEAD)
    with refused("receipt_missing"):
        pay_in_cash(account, lead)
    issue_receipt(account, lead)
    note = pay_in_cash(account, lead)
    assert (note.entered_by, note.text) == (lead, f"signed on receipt {account.number}")
    for again in (lambda: pay_in_cash(account, lead), lambda: make_batch(None, None, None, lead)):
        with refused("nothing_to_pay"):
            again()
    assert balance_of(account).unpaid == 0
    assert differences() == []


def test_cash_that_was_noted_by_mistake_is_owed_again() -> None:
    account, lead = session_of(make.study(people=100)).pay.account, staff(Role.LEAD)
    with refused("nothing_to_undo"):
        undo_cash(account, WHY, lead)
    issue_receipt(account, lead)
    for _ in "12":
        pay_in_cash(account, lead)
        assert undo_cash(account, WHY, lead).text == WHY
        with refused("nothing_to_undo"):
            undo_cash(account, WHY, lead)
    assert [line.amount for line in account.lines.order_by("pk")] == [115, -115, 115, -115, 115]
    assert (state_of(account) or [""])[0] == "not paid"
    assert make_batch(None, None, None, lead).total == 115
    assert differences() == []


def test_a_payment_that_comes_back_is_owed_again() -> None:
    session = session_of(make.study(people=100))
    account, lead = session.pay.account, staff(Role.LEAD)
    states = []
    for sent in (False, True):
        batch = make_batch(None, None, None, lead)
        states.append(state_of(account))
        if sent:
            note_sent(batch, lead)
            states.append(state_of(account))
        take_back(batch, account.pk, "The account is closed.", lead)
        with refused("returned_already"):
            take_back(batch, account.pk, "The account is closed.", lead)
        states.append(state_of(account))
        assert balance_of(account).unpaid == 115
    found = [one and one[0].value for one in states]
    assert found == ["in a batch", "failed", "in a batch", "sent", "returned"]
    assert make_batch(None, None, None, lead).total == 115
    assert differences() == []


def test_a_budget_that_is_exceeded_stops_batches_until_a_lead_sets_another() -> None:
    study, lead = make.study(people=100), staff(Role.LEAD)
    session_of(study)
    set_budget(study, Decimal("114.99"), 80, WHY, lead)
    with refused("budget_exceeded"):
        make_batch(None, None, None, lead)
    set_budget(study, Decimal(115), 80, WHY, lead)
    assert make_batch(None, None, None, lead).total == 115


@pytest.mark.parametrize(("fees", "small", "large"), [(2, "230", "230.01"), (1, "115", "115.01")])
def test_a_large_adjustment_needs_a_reason_of_who_approves_it(fees: int, small: str, large: str) -> None:
    session, lead = session_of(make.study(people=100, large_in_fees=fees)), staff(Role.LEAD)
    for amount, text, code in ((small, "", ""), (large, "", "reason_missing"), (large, WHY, "")):
        entered = enter_adjustment(session, Decimal(amount), AdjustmentReason.OTHER, WHY, staff(Role.PROCTOR))
        if code:
            with refused(code):
                decide_adjustment(entered, approved=True, text=text, staff=lead)
        else:
            decide_adjustment(entered, approved=True, text=text, staff=lead)


def test_only_the_chosen_study_and_days_are_paid() -> None:
    one, other = make.study(people=100), make.study(people=100)
    session_of(one)
    session_of(other)
    day = local(now()).date()
    for since, until in ((day + timedelta(days=1), None), (None, day - timedelta(days=1))):
        with pytest.raises(Refusal):
            make_batch(None, since, until, staff(Role.LEAD))
    make_batch(one, day, day, staff(Role.LEAD))
    assert study_pay(one).balance.unpaid == 0
    assert study_pay(other).balance.unpaid == 115
    with refused("days_reversed"):
        make_batch(one, day, day - timedelta(days=1), staff(Role.LEAD))


def test_what_was_paid_too_much_is_deducted_from_the_next_session() -> None:
    study = make.study("wk01", people=100)
    person = new_participant()
    first = session_of(study, person)
    make_batch(None, None, None, staff(Role.LEAD))
    adjust(first, "-20")
    with pytest.raises(Refusal):
        make_batch(None, None, None, staff(Role.LEAD))
    session_of(make.study("ck01", people=100), person)
    batch = make_batch(None, None, None, staff(Role.LEAD))
    assert [(one.amount, len(one.receipts)) for one in payouts_of(batch)] == [(Decimal(95), 2)]
    assert all(balance_of(account).unpaid == 0 for account in PayAccount.objects.all())


def test_rehearsals_have_ledgers_and_are_never_paid() -> None:
    study = make.study(people=100, rehearsal=True)
    session_of(study)
    session_of(make.study(people=100), new_participant(simulated=True))
    assert PayLine.objects.count() == 2
    assert study_pay(study).balance.owed == 115
    for choice, code in ((study, "rehearsal_not_paid"), (None, "nothing_to_pay")):
        with refused(code):
            make_batch(choice, None, None, staff(Role.LEAD))


def test_days_are_those_of_the_centers_time_zone(settings: Settings) -> None:
    settings.CENTER_TIME_ZONE = ZoneInfo("America/Los_Angeles")
    assert midnight(date(2026, 3, 8)).isoformat() == "2026-03-08T08:00:00+00:00"
    assert midnight(date(2026, 3, 9)).isoformat() == "2026-03-09T07:00:00+00:00"
    assert local(midnight(date(2026, 3, 9)) - timedelta(seconds=1)).date() == date(2026, 3, 8)


def test_a_budget_warns_then_refuses_another_session() -> None:
    study = make.study(people=100)
    session_of(study)
    set_budget(study, Decimal(345), 60, WHY, staff(Role.LEAD))
    assert study_pay(study).level == BudgetLevel.WITHIN
    create_session(study, new_participant(), None)
    found = study_pay(study)
    assert (found.committed, found.sessions_left) == (Decimal(230), 1)
    assert found.level == BudgetLevel.WARNING
    assert "room for 1 more session." in warnings([study])[0]
    create_session(study, new_participant(), None)
    assert study_pay(study).left == 0
    with refused("budget_reached"):
        create_session(study, new_participant(), None)
    set_budget(study, Decimal("459.99"), 60, WHY, staff(Role.LEAD))
    with pytest.raises(Refusal):
        create_session(study, new_participant(), None)
    set_budget(study, None, 60, WHY, staff(Role.LEAD))
    create_session(study, new_participant(), None)
    assert study.budgets.count() == 3


def test_a_session_expects_the_mean_bonus_of_sessions_that_ended() -> None:
    study = make.study(people=100)
    session = make.session(study)
    attempt = make.play(session, [4], Outcome.COMPLETED)
    end_session(session, SessionEnd.ENDED_BY_STAFF)
    session_of(study)
    running = make.session(study)
    make.play(running, [4], Outcome.COMPLETED, seconds_an_action=0)
    create_session(study, new_participant(), None)
    found = study_pay(study)
    assert (found.per_session, found.expected) == (Decimal("117.50"), Decimal("237.50"))
    assert found.play_hours == pytest.approx(attempt.seconds / 3600)


def test_only_the_first_receipt_of_an_amount_is_an_original() -> None:
    session = session_of(make.study(people=100))
    account = PayAccount.objects.get()
    assert issue_receipt(account, staff(Role.PROCTOR)).original
    assert not issue_receipt(account, staff(Role.PROCTOR)).original
    adjust(session, "5")
    again = issue_receipt(account, staff(Role.PROCTOR))
    assert (again.original, again.receipt.number) == (True, f"{account.number}-2")
