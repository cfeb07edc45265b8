"""The journal's writer: a row that cannot be stored fails alone, and the thread continues."""

import asyncio
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import OperationalError

from playtest.play.clock import machine_now, now
from playtest.play.journal import writer as journal
from playtest.play.journal.entries import NewEntry
from playtest.play.journal.heartbeat import Beat
from playtest.play.journal.writer import JournalFailed, JournalWriter
from playtest.play.models import Attempt, Entry, Event, EventKind, Heartbeat
from playtest.play.sessions.adjustments import adjustments_of
from playtest.play.sessions.attempts import open_next
from tests import make
from tests.make import at, study

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
BAD: dict[str, dict[str, Any]] = {
    "text where frames belong": {"frames": "text"},
    "a number that no database takes": {"seq": 2**70},
    "no number where one belongs": {"action": object()},
    "nothing where something belongs": {"state_hash": None},
    "text that no database takes": {"state": "\0\ud800"},
}
"""Each fails for another reason, some before the database sees it."""


class WriterHere(JournalWriter):
    """A writer that writes in the thread and the transaction of the test."""

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()

    def start(self) -> None:
        pass

    def write(self, *rows: NewEntry | Event) -> list[bool | BaseException]:
        """Returns the result of each row of one group."""

        async def append() -> list[asyncio.Future[bool]]:
            return [self.append(row) for row in rows]

        futures = self.loop.run_until_complete(append())
        self._commit(self._next() if rows else [])
        return self.loop.run_until_complete(_gathered(futures))

    def beat_here(self) -> Beat:
        async def begin() -> asyncio.Future[Beat]:
            return self.beat()

        future = self.loop.run_until_complete(begin())
        self._commit(self._next())
        return self.loop.run_until_complete(future)


async def _gathered(futures: list[asyncio.Future[bool]]) -> list[bool | BaseException]:
    return await asyncio.gather(*futures, return_exceptions=True)


def stop(writer: WriterHere, seconds: float) -> None:
    """As if it could store nothing for so long."""
    assert writer._stall._well_at is not None
    writer._stall._well_at -= seconds
    writer._stall.begin()


@pytest.fixture
def writer() -> Iterator[WriterHere]:
    writer = WriterHere()
    yield writer
    writer.loop.close()


@pytest.fixture
def attempt() -> Attempt:
    opened = open_next(make.session(study()))
    assert opened is not None
    return opened


def entry(attempt: Attempt, seq: int, /, **other: Any) -> NewEntry:
    good: dict[str, Any] = {
        "attempt_id": attempt.pk, "seq": seq, "action": 1, "x": None, "y": None, "level": 1,
        "levels_completed": 0, "level_completed": False, "state": "NOT_FINISHED", "available": 3,
        "changed": True, "state_hash": b"12345678", "frame_count": 1, "frames": b"frames", "input_kind": 1,
        "server_time": NOON, "client_time": None, "previous_paint_ms": 16, "chain": bytes(32),
    }  # fmt: skip
    return NewEntry(**(good | other))


def event(attempt: Attempt, **other: Any) -> Event:
    return Event(session_id=attempt.session_id, kind=EventKind.CONNECTED, server_time=NOON, **other)


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD.keys())
def test_a_row_that_cannot_be_stored_fails_alone(
    writer: WriterHere, attempt: Attempt, bad: dict[str, Any]
) -> None:
    other = open_next(make.session(attempt.session.study))
    assert other is not None
    rows: list[NewEntry | Event] = [entry(attempt, seq) for seq in range(7)]
    rows.insert(5, entry(other, 0, **bad))
    found = writer.write(*rows, event(attempt, attempt_id=attempt.pk))
    assert isinstance(found.pop(5), JournalFailed)
    assert found == [True] * 8
    assert list(Entry.objects.order_by("seq").values_list("seq", flat=True)) == list(range(7))
    assert Event.objects.filter(kind=EventKind.CONNECTED).count() == 1


@pytest.mark.once
def test_a_new_entry_has_every_column_of_an_entry() -> None:
    columns = {column.attname for column in Entry._meta.concrete_fields if not column.primary_key}
    assert set(NewEntry._fields) == columns


def test_an_event_that_is_not_json_fails_alone(writer: WriterHere, attempt: Attempt) -> None:
    bad = event(attempt, details={"what": object()})
    found = writer.write(entry(attempt, 0), bad, entry(attempt, 1))
    assert isinstance(found[1], JournalFailed)
    assert [found[0], found[2]] == [True, True]


@pytest.mark.once
def test_a_closed_event_loop_does_not_affect_the_others(writer: WriterHere, attempt: Attempt) -> None:
    gone = asyncio.new_event_loop()

    async def append() -> None:
        writer.append(entry(attempt, 0))

    gone.run_until_complete(append())
    gone.close()
    assert writer.write(entry(attempt, 1)) == [True]
    assert Entry.objects.count() == 2


def test_a_silence_is_recorded_before_any_row_and_what_came_in_it_is_not(writer: WriterHere) -> None:
    """Nothing could be written for 40 seconds: the row that ends it may end an attempt."""
    with at(now() - timedelta(minutes=8)):
        attempt = open_next(make.session(study()))
    assert attempt is not None
    assert writer.write(entry(attempt, 0, server_time=now() - timedelta(seconds=41))) == [True]
    Heartbeat.objects.update(at=machine_now() - timedelta(seconds=50))
    stop(writer, 40)
    in_between = entry(attempt, 1, server_time=now() - timedelta(seconds=15))
    late, logged = writer.write(in_between, event(attempt, attempt_id=attempt.pk))
    assert isinstance(late, JournalFailed)
    assert logged is True
    assert Event.objects.filter(kind=EventKind.PAUSED).count() == 1
    [outage] = adjustments_of(attempt.session).pauses
    assert writer.write(entry(attempt, 1, server_time=now())) == [True]
    first, last = Entry.objects.order_by("seq").values_list("server_time", flat=True)
    assert outage.end is not None
    assert first == outage.start < outage.end < last


@pytest.mark.once
@pytest.mark.parametrize("has_failed", [False, True], ids=["the database was slow", "the database was away"])
def test_some_seconds_without_a_database_are_charged_to_nobody(
    writer: WriterHere, monkeypatch: pytest.MonkeyPatch, has_failed: bool
) -> None:
    """What was received in that time is stored, and the outage is recorded before anybody learns of it."""
    with at(now() - timedelta(minutes=8)):
        attempt = open_next(make.session(study()))
    assert attempt is not None
    assert writer.write(entry(attempt, 0, server_time=now() - timedelta(seconds=6))) == [True]
    if has_failed:
        stop(writer, 5)
    else:
        write = journal._write

        def slow(batch: Any) -> list[bool]:
            assert writer._stall._well_at is not None
            writer._stall._well_at -= 5
            return write(batch)

        monkeypatch.setattr(journal, "_write", slow)
    assert writer.write(entry(attempt, 1, server_time=now() - timedelta(seconds=5.5))) == [True]
    [outage] = adjustments_of(attempt.session).pauses
    assert outage.end is not None
    assert timedelta(seconds=5) <= outage.end - outage.start < timedelta(seconds=8)
    monkeypatch.undo()
    assert writer.write(entry(attempt, 2, server_time=now())) == [True]
    assert adjustments_of(attempt.session).pauses == (outage,)


@pytest.mark.once
def test_a_process_that_was_stopped_finds_it_out(writer: WriterHere) -> None:
    writer.write()
    writer._stall.waited(0.5)
    assert not writer._stall.is_outage
    assert writer._stall._well_at is not None
    writer._stall._well_at -= 6
    writer._stall.waited(6)
    assert writer._stall.is_outage
    writer.write()
    assert not writer._stall.is_outage


def test_the_heartbeat_of_a_process_updates_one_row(writer: WriterHere) -> None:
    beats = []
    for _ in range(2):
        assert writer.beat_here().durable
        beats.append(Heartbeat.objects.get())
    first, second = beats
    assert (second.process, second.boot) == (first.process, first.boot)
    assert (second.at > first.at, second.uptime >= first.uptime) == (True, True)


def end(writer: JournalWriter) -> None:
    """Let the thread do nothing more: it would write its heartbeats into the databases of other tests."""
    waits = threading.Event()

    def wait_for_ever() -> list[Any]:
        waits.set()
        threading.Event().wait()
        return []

    writer._next = wait_for_ever  # type: ignore[method-assign]
    writer._beat_due_at = 0.0
    assert waits.wait(60)


class Unforeseen(BaseException):
    """An exception that no handler expects."""


@pytest.mark.once
async def test_the_writer_thread_continues_after_any_exception(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(batch: object) -> None:
        raise Unforeseen

    monkeypatch.setattr(journal, "_settle_beats", lambda beats: None)
    monkeypatch.setattr(journal, "_write", fail)
    writer = JournalWriter()
    for seq in range(2):
        with pytest.raises(JournalFailed, match="Unforeseen"):
            await asyncio.wait_for(writer.append(entry(Attempt(), seq)), 60)
    assert len([thread for thread in threading.enumerate() if thread is writer._thread]) == 1
    end(writer)


@pytest.mark.once
@pytest.mark.parametrize("error", [None, OperationalError("the database is away")])
def test_the_first_heartbeat_is_waited_for_also_where_it_fails(
    monkeypatch: pytest.MonkeyPatch, error: Exception | None
) -> None:
    answers, asked = threading.Event(), threading.Event()

    def settle(beats: object) -> Exception | None:
        asked.set()
        answers.wait(60)
        return error

    monkeypatch.setattr(journal, "_settle_beats", settle)
    writer = JournalWriter()
    writer.start()
    assert asked.wait(60)
    writer.wait_for_first_beat(0.01)
    assert not writer._first_beat.is_set()
    answers.set()
    writer.wait_for_first_beat(60)
    assert writer._first_beat.is_set()
    end(writer)


@pytest.mark.once
async def test_an_ended_writer_thread_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "_settle_beats", lambda beats: None)
    monkeypatch.setattr(journal, "_write", lambda batch: [True] * len(batch))
    ended = threading.Thread(target=int)
    ended.start()
    ended.join()
    writer = JournalWriter()
    writer._thread = ended
    assert await asyncio.wait_for(writer.append(entry(Attempt(), 0)), 60) is True
    end(writer)
