"""Withdrawal of consent: everything a person left is gone, others keep theirs, and a line says so."""

from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django.test import TestCase
from django.urls import reverse
from pytest_django import Settings

from playtest.center.models import Void, VoidReversal
from playtest.jobs.models import JobStatus
from playtest.jobs.queue import Queue
from playtest.people.models import Consent, Participant, Survey, Withdrawal
from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play.clock import now
from playtest.play.journal.sql import insert_events
from playtest.play.models import Attempt, Entry, Event, EventKind, Session, SessionEnd, Study
from playtest.play.sessions.ends import end_session
from playtest.play.sessions.services import create_session
from playtest.review.attempt_film import FilmOptions
from playtest.review.models import (
    Collection,
    CollectionItem,
    Comment,
    Decision,
    DecisionKind,
    Export,
    ExportKind,
    Flag,
    Strength,
)
from playtest.review.services import withdrawal_list
from playtest.review.services.exports import request_film
from playtest.review.services.withdrawal import erase_again, withdraw
from playtest.review.tasks.exports import make_export
from tests import make
from tests.refusals import refused
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

REFERENCE = "RECRUIT-17"


@pytest.fixture(autouse=True)
def folder(settings: Settings, tmp_path: Path) -> Path:
    settings.DATA_DIR = tmp_path
    (tmp_path / "exports").mkdir()
    return tmp_path / "exports"


@pytest.fixture
def study() -> Study:
    return make.study(people=100)


def session_of(study: Study, person: Participant) -> Attempt:
    """A person's whole session, with all that staff and rules add to it."""
    session = make.session(study, person)
    attempt = make.play(session, [4, 4, 4, 2])
    end_session(session, SessionEnd.ENDED_BY_STAFF)
    researcher, moment = staff(Role.RESEARCHER), now()
    Comment.objects.create(
        attempt=attempt, seq=1, seconds=1, text="stuck", author=researcher, created_at=moment
    )
    collection = Collection.objects.get_or_create(
        name="Stuck", defaults={"author": researcher, "created_at": moment}
    )[0]
    CollectionItem.objects.create(collection=collection, attempt=attempt, position=1)
    Flag.objects.create(
        session=session, attempt=attempt, rule="no_ops", rule_version="1", strength=Strength.NOTE,
        figures={}, sentence="x", raised_at=moment, judged_at=moment,
    )  # fmt: skip
    void = Void.objects.create(attempt=attempt, staff=researcher, reason="disturbed", voided_at=moment)
    VoidReversal.objects.create(void=void, staff=researcher, text="was not", reversed_at=moment)
    first = decide(attempt, DecisionKind.EXCLUDE_ATTEMPT)
    decide(attempt, DecisionKind.REVERSE, reverses=first)
    return attempt


def decide(attempt: Attempt, kind: DecisionKind, reverses: Decision | None = None) -> Decision:
    return Decision.objects.create(
        session=attempt.session, attempt=attempt, kind=kind, reason="no_effort", rule_version="1",
        reviewer=staff(Role.RESEARCHER), decided_at=now(), reverses=reverses,
    )  # fmt: skip


def everything() -> dict[str, int]:
    """How many rows every table of the product has."""
    rooms = ("people", "play", "center", "review")
    return {
        model._meta.label: model._default_manager.count()
        for room in rooms
        for model in apps.get_app_config(room).get_models()
    }


@pytest.mark.services
def test_a_withdrawal_deletes_all_data_of_the_person_only(study: Study) -> None:
    other = session_of(study, new_participant())
    before = everything()
    person = new_participant(REFERENCE)
    attempt = session_of(study, person)
    done = withdraw(person, staff(Role.LEAD))
    after = everything()
    assert after.pop("people.Participant") == before.pop("people.Participant") + 1
    assert after.pop("people.Withdrawal") == before.pop("people.Withdrawal") + 1
    assert after.pop("people.RecordLink") > before.pop("people.RecordLink"), "digests stay"
    assert after.pop("people.Staff") >= before.pop("people.Staff")
    for ledger in ("center.PayAccount", "center.PayLine", "center.Payee"):  # what is owed, without play
        assert after.pop(ledger) == before.pop(ledger) + 1
    assert after == before
    assert not Entry.objects.filter(attempt=attempt.pk).exists()
    assert Entry.objects.filter(attempt=other).count() == 5
    person.refresh_from_db()
    assert person.reference == ""
    assert (done.staff, done.removed["play.Entry"], done.removed["play.Attempt"]) == (
        staff(Role.LEAD), 5, 1,
    )  # fmt: skip
    assert done.finished_at is not None
    connection.check_constraints()


def test_films_of_the_person_and_data_with_them_are_deleted(study: Study, folder: Path) -> None:
    attempt = session_of(study, new_participant())
    film = request_film(attempt, ExportKind.GIF, FilmOptions(scale=1), None, Queue(make_export))
    elsewhere = make.study("ck01")
    values = {"kind": ExportKind.STUDY_CSV, "status": JobStatus.DONE, "requested_at": now()}
    data = Export.objects.create(study=study, file="data.zip", **values)
    other = Export.objects.create(study=elsewhere, file="kept.zip", **values)
    waiting = Export.objects.create(study=study, **values | {"status": JobStatus.WAITING})
    for name in ("data.zip", "kept.zip"):
        (folder / name).touch()
    with TestCase.captureOnCommitCallbacks(execute=True):
        withdraw(attempt.participant, None)
    assert [path.name for path in folder.iterdir()] == ["kept.zip"]
    assert not Export.objects.filter(pk=film.pk).exists()
    for export in (data, other, waiting):
        export.refresh_from_db()
    assert (data.file, other.file, waiting.status) == ("", "kept.zip", JobStatus.CANCELLED)


def test_who_withdrew_cannot_play_again_under_the_same_name(study: Study) -> None:
    person = session_of(study, new_participant(REFERENCE)).participant
    withdraw(person, None)
    with refused("participant_withdrawn"):
        create_session(study, person, None)
    assert new_participant(REFERENCE) != person


def test_who_sits_in_a_session_cannot_be_withdrawn(study: Study) -> None:
    session = make.session(study)
    with refused("session_open"):
        withdraw(session.participant, None)
    assert Consent.objects.count() == Survey.objects.count() == 1
    assert not Withdrawal.objects.exists()


@pytest.mark.services
def test_an_event_that_comes_late_does_not_harm_those_of_others(study: Study) -> None:
    gone = session_of(study, new_participant())
    other = make.session(study)
    session_id = gone.session_id
    withdraw(gone.participant, None)
    late = [
        Event(session_id=pk, kind=EventKind.DISCONNECTED, server_time=now()) for pk in (session_id, other.pk)
    ]
    insert_events(connection, late)
    assert [event.session_id for event in Event.objects.filter(kind=EventKind.DISCONNECTED)] == [other.pk]
    connection.check_constraints()


@pytest.fixture
def withdrawing(study: Study) -> tuple[Attempt, Attempt]:
    """Someone in the midst of withdrawing, and somebody else."""
    attempts = tuple(session_of(study, new_participant()) for _ in range(2))
    Withdrawal.objects.create(participant=attempts[0].participant, started_at=now())
    return attempts[0], attempts[1]


@pytest.mark.services
def test_a_withdrawal_permits_no_other_change(withdrawing: tuple[Attempt, Attempt]) -> None:
    gone, other = withdrawing
    changes: dict[str, Callable[[], object]] = {
        "entries of another": lambda: Entry.objects.filter(attempt=other)._raw_delete("default"),
        "all entries": lambda: Entry.objects.all()._raw_delete("default"),
        "events of another": lambda: Event.objects.filter(session=other.session)._raw_delete("default"),
        "all events": lambda: Event.objects.all()._raw_delete("default"),
        "change entry": lambda: Entry.objects.filter(attempt=gone).update(action=2),
        "change event": lambda: Event.objects.filter(session=gone.session).update(kind="x"),
    }
    before = Entry.objects.count(), Event.objects.count()
    for name, change in changes.items():
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            change()
        assert (Entry.objects.count(), Event.objects.count()) == before, name


def test_a_finished_withdrawal_opens_nothing(withdrawing: tuple[Attempt, Attempt]) -> None:
    Withdrawal.objects.update(finished_at=now())
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        Entry.objects.filter(attempt=withdrawing[0])._raw_delete("default")


def test_a_finished_withdrawal_stays_finished(study: Study) -> None:
    withdraw(session_of(study, new_participant()).participant, None)
    with pytest.raises(DatabaseError, match="stays on record"), transaction.atomic():
        Withdrawal.objects.update(finished_at=None)


def test_the_page_lists_the_data_and_deletes_them_when_confirmed(study: Study) -> None:
    person = session_of(study, new_participant(REFERENCE)).participant
    lead, address = signed_in(Role.LEAD), reverse("review:withdrawal")
    assert "There are no withdrawals" in lead.get(address).content.decode()
    shown = lead.get(address, {"participant": REFERENCE}).content.decode()
    assert f"Type {person.label} to confirm" in shown
    wrong = lead.post(address, {"participant": person.label, "confirmation": "yes"}).content.decode()
    assert "confirmation_wrong" in wrong
    assert Attempt.objects.filter(participant=person).exists()
    given = {"participant": person.label, "confirmation": person.label.lower()}
    done = lead.post(address, given, follow=True).content.decode()
    assert f"All data of {person.label} was deleted." in done
    assert not Session.objects.filter(participant=person).exists()
    assert "lead" in done
    again = lead.post(address, given).content.decode()
    assert "already_withdrawn" in again
    assert "participant_unknown" in lead.get(address, {"participant": "?"}).content.decode()


def test_the_command_lists_the_data_and_deletes_them_when_confirmed(study: Study) -> None:
    person = session_of(study, new_participant()).participant
    out = StringIO()
    call_command("withdraw", person.label, stdout=out)
    assert f"--confirm {person.label}" in out.getvalue()
    assert Attempt.objects.filter(participant=person).exists()
    staff(Role.LEAD)
    call_command("withdraw", person.label, "--confirm", person.label, "--by", "lead", stdout=out)
    assert "play.Entry: 5 deleted" in out.getvalue()
    assert not Attempt.objects.filter(participant=person).exists()
    assert Withdrawal.objects.get().staff == staff(Role.LEAD)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["P-?"], "participant_unknown"),
        (["{label}", "--confirm", "P-?"], "confirmation_wrong"),
        (["{label}", "--confirm", "{label}", "--by", "researcher"], "right_missing"),
        (["{label}", "--confirm", "{label}"], "session_open"),
    ],
)
def test_the_command_says_what_it_refuses(study: Study, arguments: list[str], code: str) -> None:
    staff(Role.RESEARCHER)
    person = make.session(study).participant
    with pytest.raises(CommandError, match=code):
        call_command("withdraw", *(argument.format(label=person.label) for argument in arguments))
    assert Session.objects.exists()


def test_a_withdrawal_outlives_a_restore(study: Study, folder: Path) -> None:
    """The list has the withdrawal, and the database, as a backup brings it back, the person."""
    person, other = new_participant(), new_participant()
    session_of(study, person)
    session_of(study, other)
    with transaction.atomic():
        withdraw(person, None)
        withdrawal_list.keep_list()
        transaction.set_rollback(True)
    assert person.attempts.count() == 1
    assert person.label not in (folder.parent / "withdrawals.jsonl").read_text()
    assert erase_again() == 1
    assert (person.attempts.count(), other.attempts.count()) == (0, 1)
    assert erase_again() == 0


def test_the_list_is_kept_beside_backups_and_found_in_its_former_place(
    study: Study, settings: Settings, tmp_path: Path
) -> None:
    backups = tmp_path / "backups"
    backups.mkdir()
    for _ in range(2):
        withdraw(make.session(study).participant, None, in_session=True)
        withdrawal_list.keep_list()
        withdrawal_list.copy_beside(backups)
        withdrawal_list.copy_beside(backups)
    former = (tmp_path / "withdrawals.jsonl").read_text()
    assert len(former.splitlines()) == 2
    assert (backups / "withdrawals.jsonl").read_text() == former
    settings.WITHDRAWALS_FILE = str(tmp_path / "elsewhere" / "list")
    assert erase_again() == 0
    assert (tmp_path / "elsewhere" / "list").read_text() == former
