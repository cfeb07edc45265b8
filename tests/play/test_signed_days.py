"""Past days are signed once, each with the digest of the one before and a private key."""

import json
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event

import pytest
from pytest_django import Settings

from playtest.people.services import new_participant
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.journal import anchors
from playtest.play.journal.days import DayList, MalformedDay, is_signed, sign_days
from playtest.play.journal.signer import signing_key, trusted_keys
from playtest.play.models import Attempt, SessionEnd, SignedDay, Study
from playtest.play.sessions.attempts import end_attempt, open_next
from playtest.play.sessions.ends import end_session
from playtest.play.tasks import sign_days as task
from playtest.review.services.withdrawal import withdraw
from playtest.rules.attempt import Outcome
from tests import make

pytestmark = [pytest.mark.django_db, pytest.mark.once]

A_DAY = timedelta(days=1, minutes=10)
"""Signing waits ten minutes after midnight."""


@pytest.fixture(autouse=True)
def folder(settings: Settings, tmp_path: Path) -> Path:
    settings.DATA_DIR = tmp_path
    return tmp_path


@pytest.fixture
def study() -> Study:
    return make.study(people=100)


def listed(day: SignedDay) -> list[tuple[int, int, bool]]:
    """Returns attempt, number of entries and whether it had ended, for each listed attempt."""
    return [(head.attempt, head.entries, head.seal != "") for head in DayList.read(day.document).heads]


def play(study: Study, outcome: Outcome | None = Outcome.GAVE_UP) -> Attempt:
    return make.play(make.session(study), [4, 4], outcome)


@pytest.mark.services
def test_a_day_that_is_over_is_signed_once(study: Study) -> None:
    attempt = play(study)
    assert sign_days(now()) == [], "today is not over"
    [day] = sign_days(now() + A_DAY)
    assert sign_days(now() + A_DAY) == []
    assert sign_days(now() + 5 * A_DAY) == [], "days without news have no list"
    assert day.day == attempt.assigned_at.astimezone(UTC).date()
    assert listed(day) == [(attempt.pk, 3, True)]
    head = DayList.read(day.document).heads[0]
    last = attempt.entries.latest("seq")
    assert (head.chain, head.seal) == (bytes(last.chain).hex(), bytes(attempt.seal or b"").hex())
    assert is_signed(day.document, bytes(day.signature), bytes(day.public_key))
    assert not is_signed(day.document + " ", bytes(day.signature), bytes(day.public_key))


def test_each_day_lists_the_changed_heads_and_the_digest_of_the_day_before(study: Study) -> None:
    still_open, done = play(study, None), play(study)
    waiting = open_next(make.session(study))
    assert waiting is not None
    [first] = sign_days(now() + A_DAY)
    assert listed(first) == [(still_open.pk, 3, False), (done.pk, 3, True), (waiting.pk, 0, False)]
    end_attempt(still_open.pk, Outcome.TIMED_OUT, now() + A_DAY)
    [second] = sign_days(now() + 2 * A_DAY)
    assert listed(second) == [(still_open.pk, 3, True)]
    contents = [DayList.read(day.document) for day in (first, second)]
    assert [content.previous for content in contents] == ["", first.digest]
    assert contents[1].day == contents[0].day + A_DAY


def test_several_past_days_are_signed_at_once(study: Study) -> None:
    attempt = play(study, None)
    ended = now() + timedelta(days=3)
    end_attempt(attempt.pk, Outcome.TIMED_OUT, ended)
    first, second = sign_days(now() + 5 * A_DAY)
    assert listed(first) == [(attempt.pk, 3, False)]
    assert listed(second) == [(attempt.pk, 3, True)]
    assert second.day == ended.date()


def test_a_day_is_not_signed_until_ten_minutes_after_midnight(study: Study) -> None:
    attempt = play(study)
    midnight = datetime.combine(attempt.assigned_at.date() + A_DAY, datetime.min.time(), UTC)
    assert sign_days(midnight + timedelta(minutes=9, seconds=59)) == []
    assert len(sign_days(midnight + timedelta(minutes=10))) == 1


def test_a_late_entry_is_in_the_next_days_list(study: Study) -> None:
    play(study)
    sign_days(now() + A_DAY)
    late = make.play(make.session(study), [4], minutes_ago=60)
    [second] = sign_days(now() + 2 * A_DAY)
    assert listed(second) == [(late.pk, 2, True)]


def test_a_day_without_changes_is_not_signed(folder: Path) -> None:
    assert sign_days(now() + A_DAY) == []
    assert not (folder / "record_key").exists()
    assert trusted_keys() == set()


@pytest.mark.services
def test_a_withdrawal_is_listed_even_if_the_attempt_was_in_no_list(study: Study) -> None:
    person = new_participant()
    session = make.session(study, person)
    attempt = make.play(session, [4])
    end_session(session, SessionEnd.ENDED_BY_STAFF)
    withdraw(person, None)
    [day] = sign_days(now() + A_DAY)
    content = DayList.read(day.document)
    assert (content.heads, content.withdrawn) == ((), (attempt.pk,))
    assert sign_days(now() + 2 * A_DAY) == []


def test_the_worker_signs_the_days_that_are_over_and_waits_for_no_anchor(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempt, slow, begun = play(study), Event(), []
    monkeypatch.setattr(anchors, "send_anchors", lambda: begun.append(slow.wait(20)))
    task()
    task()
    slow.set()
    assert anchors._sending.acquire(timeout=20), "whoever sends ends"
    anchors._sending.release()
    assert begun == [True], "one sends at a time"
    assert not SignedDay.objects.exists(), "today is not over"
    assert attempt.seal is not None


def test_the_key_is_made_once_and_readable_by_its_owner_only(folder: Path) -> None:
    made = signing_key()
    assert stat.S_IMODE((folder / "record_key").stat().st_mode) == 0o600
    assert signing_key().public_key() == made.public_key()
    assert [path.name for path in folder.iterdir()] == ["record_key"]


def test_a_given_key_is_used_and_none_is_made(settings: Settings, folder: Path) -> None:
    settings.RECORD_KEY_FILE = str(folder / "given")
    with pytest.raises(Refusal) as refused:
        signing_key()
    assert refused.value.code == "record_key_missing"
    (folder / "given").write_text("no key")
    with pytest.raises(Refusal) as refused:
        trusted_keys()
    assert refused.value.code == "record_key_invalid"
    settings.RECORD_KEY_FILE = ""
    signing_key()
    settings.RECORD_KEY_FILE = str(folder / "record_key")
    settings.RECORD_PUBLIC_KEYS = ["11" * 32]
    assert len(trusted_keys()) == 2


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        json.dumps({"format": "another"}),
        '{"format": "playtest signed day 1", "attempts": [[1]]}',
    ],
)
def test_an_invalid_list_of_a_day_is_refused(text: str) -> None:
    with pytest.raises(MalformedDay):
        DayList.read(text)
