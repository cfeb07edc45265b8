"""Data is erased when its period is over and not a second before; each erasure stays on record."""

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from decimal import Decimal
from io import StringIO
from pathlib import Path

import pytest
from axes.models import AccessLog
from django.contrib.sessions.models import Session as SignIn
from django.core.management import call_command
from django.db import transaction
from django.urls import reverse
from pytest_django import Settings

from playtest.center.models import AdjustmentReason, Booking, Message, MessageKind, Slot
from playtest.center.pay.payments import make_batch
from playtest.center.pay.services import decide_adjustment, enter_adjustment
from playtest.jobs.models import JobStatus
from playtest.operation.audit import findings
from playtest.operation.backup.services import prune
from playtest.operation.retention import kinds
from playtest.operation.retention.services import apply, due, set_period
from playtest.operation.tasks import erase_due
from playtest.people.models import Contact, Erasure, Participant, RetentionRule
from playtest.people.retention import Period, period
from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play.clock import machine_now, now
from playtest.play.models import Attempt, Entry, SessionEnd
from playtest.play.sessions.ends import end_session
from playtest.review.models import Comment, Export, ExportKind
from playtest.review.services import withdrawal_list
from playtest.review.services.withdrawal import erase_again, withdraw
from tests import make
from tests.refusals import refused
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

SECOND = timedelta(seconds=1)
DAYS = 33


@pytest.fixture(autouse=True)
def folder(settings: Settings, tmp_path: Path) -> Path:
    settings.DATA_DIR = tmp_path / "data"
    settings.DATA_DIR.mkdir()
    return tmp_path


def person(reference: str = "R-1") -> Participant:
    """Somebody who was here, with a reference, an address and an invitation that bounced."""
    found = new_participant(reference)
    session = make.session(make.study(people=100), found)
    make.play(session, [4, 4])
    end_session(session, SessionEnd.ENDED_BY_STAFF)
    Contact.objects.create(participant=found, email=f"{reference}@example.org", stored_at=now())
    slot = Slot.objects.create(
        study=session.study, starts_at=now() - timedelta(hours=2), ends_at=now() - timedelta(hours=1),
        capacity=1, created_at=now(),
    )  # fmt: skip
    booking = Booking.objects.create(
        slot=slot, participant=found, kind="invited", created_at=now(), changed_at=now()
    )
    Message.objects.create(
        booking=booking, kind=MessageKind.INVITATION, status=JobStatus.FAILED, requested_at=now(),
        error=f"mail_not_sent: {reference}@example.org is unknown",
    )  # fmt: skip
    return found


def end_of(found: Participant) -> datetime:
    ended = found.sessions.get().ended_at
    assert ended is not None
    return max(ended, Contact.objects.get(participant=found).stored_at)


def comment(at: datetime) -> None:
    attempt = Attempt.objects.filter(session__isnull=False)[0]
    Comment.objects.create(
        attempt=attempt, seq=1, seconds=1, text="stuck", author=staff(Role.LEAD), created_at=at
    )


def exported(at: datetime) -> None:
    Export.objects.create(kind=ExportKind.GIF, status=JobStatus.DONE, requested_at=at, file="a.gif")


def tried(at: datetime) -> None:
    AccessLog.objects.filter(pk=AccessLog.objects.create(username="x").pk).update(attempt_time=at)


def signed_in_until(at: datetime) -> None:
    SignIn.objects.create(session_key="k", session_data="", expire_date=at)


MADE: dict[str, Callable[[datetime], None]] = {
    "comments": comment,
    "exports": exported,
    "sign_in_tries": tried,
    "sign_ins": signed_in_until,
}


@pytest.mark.services
@pytest.mark.parametrize("kind", MADE)
def test_what_is_exactly_as_old_as_its_period_is_erased_and_nothing_younger(kind: str) -> None:
    if kind == "comments":
        make.play(make.session(make.study()), [4])
    at = machine_now()
    MADE[kind](at)
    set_period(kind, DAYS, "so it is agreed", staff(Role.LEAD))
    assert apply(at + timedelta(days=DAYS) - SECOND) == []
    [erased] = apply(at + timedelta(days=DAYS))
    assert (erased.kind, erased.number, erased.oldest, erased.days) == (kind, 1, at, DAYS)
    assert erased.rule is not None
    assert erased.rule.staff == staff(Role.LEAD)
    assert apply(at + timedelta(days=DAYS)) == [], "once"


@pytest.mark.services
def test_identity_and_address_go_and_play_and_pay_stay() -> None:
    found, lead = person(), staff(Role.LEAD)
    make_batch(None, None, None, lead)
    end = end_of(found)
    before = Entry.objects.count(), found.pay_accounts.count(), found.attempts.count()
    for kind in ("references", "contacts"):
        set_period(kind, DAYS, "so it is agreed", lead)
    assert apply(end + timedelta(days=DAYS) - SECOND) == []
    assert {one.kind for one in apply(end + timedelta(days=DAYS))} == {"references", "contacts"}
    found.refresh_from_db()
    assert found.reference == ""
    assert not Contact.objects.exists()
    assert "example.org" not in Message.objects.get().error, "nor does a bounce repeat it"
    assert (Entry.objects.count(), found.pay_accounts.count(), found.attempts.count()) == before
    assert list(findings.of_tables()) == [], "the record knows"


def test_who_is_owed_money_or_is_here_stays_known() -> None:
    found, lead = person(), staff(Role.LEAD)
    at = now() + timedelta(days=900)
    set_period("references", DAYS, "so it is agreed", lead)
    assert apply(at) == [], "the fee is not paid"
    make_batch(None, None, None, lead)
    added = enter_adjustment(
        found.sessions.get(), Decimal(5), AdjustmentReason.TRAVEL, "a ticket of the tram", staff(Role.PROCTOR)
    )
    assert apply(at) == [], "an amount waits for approval"
    decide_adjustment(added, approved=False, text="there is no ticket", staff=lead)
    present = new_participant("R-2")
    make.session(make.study(people=100), present)
    assert [one.number for one in apply(at)] == [1]
    assert Participant.objects.get(pk=present.pk).reference == "R-2"


def test_nothing_is_erased_of_a_kind_that_is_switched_off() -> None:
    person()
    long_ago = now() - timedelta(days=4000)
    tried(long_ago)
    set_period("sign_in_tries", None, "an attack is being looked into", staff(Role.LEAD))
    assert apply(now() + timedelta(days=4000)) == [], "people are kept unless a lead says otherwise"
    assert AccessLog.objects.exists()


def test_expired_sign_ins_and_old_tries_go_without_anybody_saying_so() -> None:
    for key, end in (("old", now()), ("open", now() + timedelta(hours=1))):
        SignIn.objects.create(session_key=key, session_data="", expire_date=end)
    for age in (31, 29):
        tried(now() - timedelta(days=age))
    erase_due()
    assert [one.session_key for one in SignIn.objects.all()] == ["open"]
    assert AccessLog.objects.count() == 1
    assert {one.rule for one in Erasure.objects.all()} == {None}


def test_sign_ins_of_a_version_that_gave_them_no_end_go_at_the_next_run() -> None:
    earlier, now_in = signed_in(Role.PROCTOR), signed_in(Role.LEAD)
    held = now_in.session
    held.set_expiry(now() + timedelta(hours=12))
    held.save()
    erase_due()
    assert earlier.get("/staff/").status_code == 302
    assert now_in.get("/staff/").status_code == 200
    assert [(one.kind, one.number) for one in Erasure.objects.all()] == [("sign_ins", 1)]
    erase_due()
    assert Erasure.objects.count() == 1


def test_the_record_of_identified_data_stays_when_its_file_goes(settings: Settings) -> None:
    (settings.DATA_DIR / "exports").mkdir()
    file = settings.DATA_DIR / "exports" / "a.zip"
    file.write_text("who is who")
    Export.objects.create(
        kind=ExportKind.STUDY_CSV, study=make.study(), status=JobStatus.DONE, options={"identified": True},
        requested_at=now() - timedelta(days=15), file=file.name,
    )  # fmt: skip
    assert [one.number for one in apply(now())] == [1]
    assert Export.objects.get().file == ""
    assert not file.exists()
    assert apply(now()) == []


def test_a_withdrawal_and_what_a_timer_erased_outlive_a_restore() -> None:
    gone, other = person("R-1"), person("R-2")
    make_batch(None, None, None, staff(Role.LEAD))
    set_period("contacts", DAYS, "so it is agreed", staff(Role.LEAD))
    at = now() + timedelta(days=DAYS + 1)
    with transaction.atomic():  # the backup was made before this
        withdraw(gone, None)
        withdrawal_list.keep_list()
        assert len(apply(at)) == 1
        transaction.set_rollback(True)
    assert Contact.objects.count() == 2
    assert erase_again() == 1
    assert [one.number for one in apply(at)] == [1], "the timer finds the rest"
    assert not Contact.objects.exists()
    assert other.attempts.count() == 1


@pytest.mark.parametrize(
    ("kind", "days", "reason", "code"),
    [
        ("people", 5, "why", "kind_unknown"),
        ("contacts", 0, "why", "period_too_short"),
        ("contacts", 36_501, "why", "period_too_long"),
        ("contacts", 5, " ", "reason_missing"),
        ("contacts", 5, "two\nlines", "reason_invalid"),
        ("contacts", None, "why", "period_unchanged"),
        ("exports", 14, "why", "period_unchanged"),
    ],
)
def test_a_period_that_makes_no_sense_is_refused(kind: str, days: int | None, reason: str, code: str) -> None:
    with refused(code):
        set_period(kind, days, reason, staff(Role.LEAD))
    assert not RetentionRule.objects.exists()


def test_no_kind_is_twice_and_every_default_is_a_kind() -> None:
    names = [kind.name for kind in kinds.KINDS]
    assert len(set(names)) == len(names)
    assert {name for name in names if period(name).days is not None} == {
        "sign_ins", "sign_in_tries", "exports", "backups",
    }  # fmt: skip
    assert [due(kind, Period(None), now()).number or 0 for kind in kinds.KINDS] == [0] * len(names)


def test_old_backups_go_and_the_newest_stays(tmp_path: Path) -> None:
    names = ["playtest-20260101T000000Z", "playtest-20260102T000000Z.partial", "playtest-20260103T000000Z"]
    for name in (*names, "playtest-other"):
        (tmp_path / name).mkdir()
    at = datetime.fromisoformat("2026-01-31T00:00:00Z")
    assert prune(tmp_path, at - SECOND) == []
    assert prune(tmp_path, at) == names[:1]
    assert prune(tmp_path, at + timedelta(days=900)) == names[1:2]
    assert prune(tmp_path, at + timedelta(days=900)) == []
    assert (tmp_path / "playtest-other").is_dir()
    assert [(one.kind, one.number) for one in Erasure.objects.order_by("pk")] == [("backups", 1)] * 2


def test_the_command_previews_and_erases() -> None:
    tried(now() - timedelta(days=31))

    def said(*arguments: str) -> dict[str, dict[str, object]]:
        output = StringIO()
        call_command("retention", "--json", *arguments, stdout=output)
        return {one["kind"]: one for one in json.loads(output.getvalue())}

    found = said("--preview")
    assert (found["sign_in_tries"]["due"], found["contacts"]["days"], found["backups"]["due"]) == (
        1,
        None,
        None,
    )
    assert AccessLog.objects.exists()
    assert said()["sign_in_tries"]["erased"] == 1
    assert not AccessLog.objects.exists()
    output = StringIO()
    call_command("retention", "--preview", stdout=output)
    assert "sign_in_tries (erased after 30 days): 0 due, 0 erased\n" in output.getvalue()


def test_a_lead_sees_what_a_period_would_erase_and_sets_it() -> None:
    found, lead = person(), signed_in(Role.LEAD)
    make_batch(None, None, None, staff(Role.LEAD))
    Contact.objects.update(stored_at=now() - timedelta(days=50))
    Slot.objects.update(starts_at=now() - timedelta(days=51), ends_at=now() - timedelta(days=50))
    address = reverse("operation:retention")
    page = lead.get(address).content.decode()
    assert "Nothing is due to be erased" in page
    page = lead.get(address, {"kind": "messages", "days": "40"}).content.decode()
    assert "Messages about appointments, erased after 40 days:" in page
    assert "1 would be erased within a day, the oldest of" in page
    assert f"invitation to {found.label}" in page
    assert lead.get(address, {"kind": "messages", "days": "0"}).status_code == 400
    given = {"kind": "messages", "days": "40", "reason": ""}
    assert lead.post(address, given).status_code == 400
    assert not RetentionRule.objects.exists()
    assert lead.post(address, given | {"reason": "the ethics board"}).status_code == 302
    rule = RetentionRule.objects.get()
    assert (rule.kind, rule.days, rule.reason, rule.staff) == (
        "messages",
        40,
        "the ethics board",
        staff(Role.LEAD),
    )
    assert "1 thing will be erased within a day" in lead.get(address).content.decode()
    assert "period_unchanged" in lead.post(address, given | {"reason": "again"}).content.decode()
    assert signed_in(Role.RESEARCHER).get(address).status_code == 403
