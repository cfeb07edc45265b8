"""The page of signed days: what was signed, whether it still is, and what is gone."""

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse
from pytest_django import Settings

from playtest.people.roles import Role
from playtest.play.journal.days import sign_days
from playtest.play.journal.signer import public_bytes, signing_key
from playtest.play.models import Attempt, SessionEnd, SignedDay
from playtest.play.sessions.ends import end_session
from playtest.review.services.withdrawal import withdraw
from tests import make
from tests.make import days_later
from tests.review import tampering
from tests.staff import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.once]

DAYS = reverse("review:signed-days")


@pytest.fixture(autouse=True)
def folder(settings: Settings, tmp_path: Path) -> Path:
    settings.DATA_DIR = tmp_path
    return tmp_path


@pytest.fixture
def attempt() -> Attempt:
    return make.play(make.session(make.study(people=100)), [4, 4])


@pytest.fixture
def day(attempt: Attempt) -> SignedDay:
    [signed] = sign_days(days_later(1))
    return signed


def page(address: str = DAYS) -> str:
    return signed_in(Role.RESEARCHER).get(address).content.decode()


def test_days_are_listed_with_their_state_and_the_key(day: SignedDay) -> None:
    assert "1 signed day, all valid" in (said := page())
    assert f"{day.day}" in said
    assert public_bytes(signing_key().public_key()).hex() in said


def test_a_day_that_was_changed_is_named_first(day: SignedDay) -> None:
    tampering.unprotect()
    SignedDay.objects.update(signature=bytes(64))
    assert "1 of 1 signed days is not valid" in (said := page())
    assert "signature_invalid" in said


def test_a_day_whose_day_before_was_removed_says_so(day: SignedDay, attempt: Attempt) -> None:
    make.play(make.session(attempt.session.study), [4])
    sign_days(days_later(2))
    assert "2 signed days, all valid" in page()
    tampering.unprotect()
    day.delete()
    assert "link_broken" in page()


def test_an_attempt_that_is_gone_is_missing_unless_it_was_withdrawn(day: SignedDay, attempt: Attempt) -> None:
    other = make.play(make.session(attempt.session.study), [4])
    sign_days(days_later(2))
    end_session(other.session, SessionEnd.ENDED_BY_STAFF)
    withdraw(other.participant, None)
    assert "2 signed days, all valid" in (said := page())
    assert f"Withdrawn by {other.participant.label}" in said
    tampering.remove_attempt(attempt, events=True)
    assert "Attempts are missing" in (said := page())
    assert f"Attempt {attempt.pk} is gone" in said
    assert "attempt_missing" in said


def test_all_lists_can_be_taken_along(day: SignedDay) -> None:
    taken = signed_in(Role.RESEARCHER).get(reverse("review:signed-days-file"))
    assert taken["Content-Disposition"] == 'attachment; filename="signed_days.json"'
    assert json.loads(taken.content)["days"][0]["document"] == day.document


def test_a_key_that_is_none_is_said(folder: Path, day: SignedDay, attempt: Attempt) -> None:
    (folder / "record_key").write_text("nothing")
    assert "record_key_invalid" in page()
    for command in (["signed_days", "--sign"], ["verify_attempts"]):
        with pytest.raises(CommandError, match="record_key_invalid"):
            call_command(*command)
    checked = signed_in(Role.LEAD).post(reverse("review:check", args=[attempt.pk]), follow=True)
    assert "record_key_invalid" in checked.content.decode()


def test_days_of_another_key_are_reported_until_it_is_trusted(
    folder: Path, day: SignedDay, settings: Settings
) -> None:
    (folder / "record_key").unlink()
    assert "key_unknown" in page()
    settings.RECORD_PUBLIC_KEYS = [bytes(day.public_key).hex()]
    assert "all valid" in page()


def test_the_command_lists_days_and_fails_where_one_is_not_as_signed(
    day: SignedDay, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("signed_days", "--sign")
    said = capsys.readouterr().out
    assert "0 days signed now" in said
    assert f"{day.day}  {day.digest}  1 attempts  ok" in said
    tampering.unprotect()
    SignedDay.objects.update(document="nothing")
    with pytest.raises(CommandError, match="days_differ"):
        call_command("signed_days")
