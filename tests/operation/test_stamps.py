"""A time stamping authority signs each day's digest, and the audit compares its stamps with the record."""

import socket
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from playtest.people.services import new_participant
from playtest.play.errors import Refusal
from playtest.play.journal import anchors, stamps
from playtest.play.journal.days import accept_record, sign_days
from playtest.play.models import SignedDay
from tests.databases import free_of_triggers
from tests.make import days_later
from tests.operation.stamping import Authority, authority

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture(scope="module")
def answering(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Authority]:
    with authority(tmp_path_factory.mktemp("authority") / "own") as one:
        yield one


@pytest.fixture(autouse=True)
def place(answering: Authority, settings: Settings, tmp_path: Path) -> Authority:
    """An installation that has its days stamped."""
    answering.answers = True
    settings.DATA_DIR = tmp_path
    settings.RECORD_ANCHORS, settings.RECORD_STAMP_ROOTS = [answering.address], answering.roots
    return answering


def stamped(day: int) -> Path:
    """A day is signed and stamped; the file of the stamp."""
    new_participant()
    sign_days(days_later(day))
    anchors.send_anchors()
    [file] = anchors._own_folder().glob("*.tsr")
    return file


def found(path: Path) -> list[str]:
    return [fault.code for fault in anchors.compare(path)]


def test_a_day_is_stamped_once_and_agrees(place: Authority) -> None:
    file = stamped(1)
    before = file.stat()
    anchors.send_anchors()
    assert file.stat() == before
    assert found(file.parent) == []
    stamp = stamps.read_stamp(file.read_bytes())
    assert stamp.digest == SignedDay.objects.get().digest
    (file.parent / "list").write_text(SignedDay.objects.get().document)
    place.openssl(
        "ts", "-verify", "-data", str(file.parent / "list"), "-in", str(file), "-CAfile", place.roots
    )


def test_two_authorities_of_one_host_have_a_file_each(place: Authority, settings: Settings) -> None:
    [first] = settings.RECORD_ANCHORS
    settings.RECORD_ANCHORS = [first, f"{first.rstrip('/')}/another"]
    new_participant()
    sign_days(days_later(1))
    anchors.send_anchors()
    assert len(list(anchors._own_folder().glob("*.tsr"))) == 2


def test_an_authority_that_does_not_answer_is_asked_again_and_is_an_alarm(
    place: Authority, caplog: pytest.LogCaptureFixture
) -> None:
    place.answers = False
    new_participant()
    sign_days(days_later(1))
    anchors.send_anchors()
    assert "stamp_unreachable" in caplog.text
    assert list(anchors.waiting_anchors(days_later(1))) == []
    assert [fault.code for fault in anchors.waiting_anchors(days_later(3))] == ["anchor_waits"]
    place.answers = True
    anchors.send_anchors()
    assert list(anchors.waiting_anchors(days_later(3))) == []


def test_an_authority_that_says_nothing_is_left(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stamps, "_SECONDS", 0.5)
    with (
        socket.create_server(("127.0.0.1", 0)) as silent,
        pytest.raises(Refusal, match="gave no time stamp") as refused,
    ):
        stamps.request_stamp(f"http://127.0.0.1:{silent.getsockname()[1]}/", "a list")
    assert refused.value.code == "stamp_unreachable"


def test_a_past_that_was_signed_anew_has_no_stamp_and_no_stamp_of_then() -> None:
    """The forger has the database, the server's files and the key; the stamp is beside them."""
    file = stamped(1)
    with free_of_triggers():
        SignedDay.objects.all().delete()
    accept_record()
    new_participant()
    sign_days(days_later(1))
    assert found(file) == ["stamp_missing"]
    with pytest.raises(CommandError, match="audit_failed"):
        call_command("audit", "--anchor", str(file.parent))


def test_an_authority_of_a_known_certificate_leaves_it_out(
    place: Authority, settings: Settings, tmp_path: Path
) -> None:
    settings.RECORD_STAMP_ROOTS = str(tmp_path / "both.pem")
    both = Path(place.roots).read_text() + (place.folder / "signer.pem").read_text()
    (tmp_path / "both.pem").write_text(both)
    file = stamped(1)
    assert b"CERTIFICATE" not in file.read_bytes()
    assert len(file.read_bytes()) < 600
    assert found(file) == []


def test_a_list_that_was_stamped_days_later_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    file = stamped(1)
    monkeypatch.setattr(anchors, "_STAMPED_WITHIN", timedelta(days=-3))
    assert found(file) == ["stamp_late"]


def test_a_stamp_of_another_authority_or_a_changed_one_is_invalid(
    place: Authority, settings: Settings, tmp_path: Path
) -> None:
    file = stamped(1)
    content = file.read_bytes()
    imprint = content.index(bytes.fromhex(SignedDay.objects.get().digest))
    for changed in (content[: len(content) // 2], b"", content[:imprint] + b"\0" + content[imprint + 1 :]):
        file.write_bytes(changed)
        assert found(file) == ["stamp_invalid"]
    file.write_bytes(content)
    settings.RECORD_STAMP_ROOTS = Authority(tmp_path / "other").roots
    assert found(file) == ["stamp_invalid"]
    with pytest.raises(Refusal) as refused:
        stamps.request_stamp(place.address, "a list")
    assert refused.value.code == "stamp_invalid"


def test_without_root_certificates_nothing_is_stamped_or_compared(
    place: Authority, settings: Settings, tmp_path: Path
) -> None:
    file = stamped(1)
    (tmp_path / "empty.pem").write_text("")
    for named in ("", str(tmp_path / "none.pem"), str(tmp_path / "empty.pem")):
        settings.RECORD_STAMP_ROOTS = named
        for attempt in (lambda: found(file), lambda: stamps.request_stamp(place.address, "a list")):
            with pytest.raises(Refusal) as refused:
                attempt()
            assert refused.value.code == "stamp_roots_missing"
