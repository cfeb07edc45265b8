"""The digest of each signed day leaves by itself, and what was kept elsewhere is compared with the record."""

import json
from pathlib import Path

import pytest
from django.core import mail
from django.core.management import CommandError, call_command
from pytest_django import Settings

from playtest.people.services import new_participant
from playtest.play.errors import Refusal
from playtest.play.journal import anchors
from playtest.play.journal.days import accept_record, sign_days
from playtest.play.models import SignedDay
from tests.databases import free_of_triggers
from tests.make import days_later

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture(autouse=True)
def folder(settings: Settings, tmp_path: Path) -> Path:
    """Where anchors go without a setting."""
    settings.DATA_DIR = tmp_path
    return tmp_path / "anchors"


def sign(day: int) -> SignedDay:
    """Something happens, and that day from now is signed."""
    new_participant()
    [signed] = sign_days(days_later(day))
    return signed


def found(path: Path) -> list[str]:
    return [fault.code for fault in anchors.compare(path)]


def test_each_day_goes_to_the_folder_once(folder: Path) -> None:
    anchors.send_anchors()
    assert not folder.exists(), "nothing is signed"
    first, second = sign(1), sign(2)
    anchors.send_anchors()
    assert [json.loads(file.read_text())["digest"] for file in folder.iterdir()] == [second.digest]
    third = sign(3)
    anchors.send_anchors()
    anchors.send_anchors()
    said = [json.loads(file.read_text()) for file in sorted(folder.iterdir())]
    assert [one["day"] for one in said] == [second.day.isoformat(), third.day.isoformat()]
    assert first.digest in second.document, "the newest covers those before"
    assert found(folder) == []


def test_a_place_that_fails_gets_its_days_later_and_the_others_at_once(
    settings: Settings, folder: Path, tmp_path: Path
) -> None:
    settings.RECORD_ANCHORS = [str(tmp_path / "file" / "below"), "mailto:lead@example.org"]
    (tmp_path / "file").write_text("no folder")
    signed = sign(1)
    anchors.send_anchors()
    [sent] = mail.outbox
    assert (sent.to, json.loads(str(sent.body))["digest"]) == (["lead@example.org"], signed.digest)
    assert list(anchors.waiting_anchors(days_later(1))) == []
    assert [fault.code for fault in anchors.waiting_anchors(days_later(3))] == ["anchor_waits"]
    (tmp_path / "file").unlink()
    anchors.send_anchors()
    assert list(anchors.waiting_anchors(days_later(3))) == []
    assert len(mail.outbox) == 1


def test_a_mail_as_it_came_is_compared(settings: Settings, tmp_path: Path) -> None:
    settings.RECORD_ANCHORS = ["mailto:lead@example.org"]
    sign(1)
    anchors.send_anchors()
    (tmp_path / "mail.eml").write_bytes(mail.outbox[0].message().as_bytes())
    assert found(tmp_path / "mail.eml") == []


def test_a_past_that_was_signed_anew_with_the_key_differs_from_its_anchor(folder: Path) -> None:
    signed = sign(1)
    anchors.send_anchors()
    forget(signed)
    new_participant()
    sign_days(days_later(1))
    assert found(folder) == ["anchor_differs"]
    forget(SignedDay.objects.get())
    assert found(folder) == ["anchor_missing"]
    with pytest.raises(CommandError, match="audit_failed"):
        call_command("audit", "--anchor", str(folder))


def forget(signed: SignedDay) -> None:
    """What somebody with the database and the server's files can do."""
    with free_of_triggers():
        signed.delete()
    accept_record()


def test_a_place_without_anchors_is_said(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear lead,\n[]\n")
    for place in (tmp_path, tmp_path / "letter.txt", tmp_path / "none"):
        with pytest.raises(Refusal, match=r"No anchor|cannot be read"):
            found(place)
