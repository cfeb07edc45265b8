"""The journal's writer: a thread that stores all waiting rows in one transaction, then acknowledges.

No timer: waiting would only add its own length. Only the thread takes rows from the queue, and it settles
what it took, so no row is acknowledged that was not in the committed transaction. A row that cannot be stored
fails alone: its group is halved until it is found. Nothing ends the thread.

After a time in which nothing could be written, the outage is recorded before any row is acknowledged: all
that follows, the end of an attempt above all, is computed with it.
"""

import asyncio
import logging
import threading
import time
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple

from django.db import DEFAULT_DB_ALIAS, InterfaceError, OperationalError, close_old_connections, connections

from engine.play.frames import inflated
from playtest.play import measures
from playtest.play.clock import now
from playtest.play.journal import heartbeat
from playtest.play.journal.entries import NewEntry
from playtest.play.journal.heartbeat import SECONDS_BETWEEN_BEATS, SECONDS_BETWEEN_LOOKS, Beat, WriterHealth
from playtest.play.journal.outages import beat, record_stall, start_serving
from playtest.play.journal.sql import insert_entries, insert_events, once_free, transaction_for
from playtest.play.models import AgentNote, Event
from playtest.rules.outages import LONGEST_SILENCE

logger = logging.getLogger(__name__)

_UNREACHABLE = (OperationalError, InterfaceError)
"""Errors that no row causes: the group is not halved, because each half would wait as long."""


class JournalFailed(Exception):
    """The row was not stored, or it is unknown whether its transaction was committed."""


type _Row = NewEntry | Event | Beat
type _Result = bool | Beat | Exception


class _Waiting(NamedTuple):
    """A row and the future of its caller."""

    row: _Row
    future: asyncio.Future[Any]
    loop: asyncio.AbstractEventLoop
    note: AgentNote | None = None


def inflate(frames: bytes | memoryview) -> bytes:
    """The frames of a stored entry as on the wire; at most LARGEST_PAYLOAD_BYTES. Raises PayloadError."""
    return inflated(bytes(frames))


class JournalWriter:
    """Appends rows from any event loop of this process; starts its thread on first use."""

    def __init__(self, of_process: WriterHealth | None = None) -> None:
        self._stall = of_process or WriterHealth()
        self._waiting: SimpleQueue[_Waiting] = SimpleQueue()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None
        self._beat_due_at = 0.0
        self._has_begun = False
        self._first_beat = threading.Event()
        self._silence: tuple[datetime, datetime] | None = None

    def append(self, row: NewEntry | Event, note: AgentNote | None = None) -> asyncio.Future[bool]:
        """A future that is done once the row is durable, and with an entry its `note`.

        True: appended. False: an entry with this attempt and seq is there already, or the attempt has ended.
        Raises JournalFailed when it was not stored. A caller that is cancelled does not take its row back.
        """
        return self._enqueue(row, note)

    def beat(self) -> asyncio.Future[Beat]:
        """Write this process's heartbeat after all waiting rows; done once it is durable.

        Raises JournalFailed when it was not stored.
        """
        return self._enqueue(Beat())

    @property
    def waiting(self) -> int:
        """How many rows wait for the next transaction."""
        return self._waiting.qsize()

    @property
    def running(self) -> bool:
        """Whether the thread runs."""
        return self._thread is not None and self._thread.is_alive()

    def start(self) -> None:
        """Start the thread, if none runs: from then on it writes heartbeats by itself."""
        with self._starting:
            if not self.running:
                self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
                self._thread.start()

    def wait_for_first_beat(self, seconds: float) -> None:
        """Wait until the thread has recorded the outage that ends with it, or could not, but no longer."""
        self._first_beat.wait(seconds)

    def _enqueue(self, row: _Row, note: AgentNote | None = None) -> asyncio.Future[Any]:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Any] = loop.create_future()
        self._waiting.put(_Waiting(row, future, loop, note))
        if not self.running:
            self.start()
        return future

    def _run(self) -> None:
        start_serving()
        self._has_begun = self._beat([]) is None
        self._first_beat.set()
        while True:
            batch = self._next()
            try:
                self._commit(batch)
            except BaseException as error:
                logger.exception("the journal's writer failed, and goes on")
                _fail(batch, error)

    def _next(self) -> list[_Waiting]:
        """The waiting rows; none when a heartbeat is due, or to find out whether anything can be stored."""
        while True:
            began, first = time.monotonic(), None
            with suppress(Empty):
                first = self._waiting.get(timeout=SECONDS_BETWEEN_LOOKS)
            self._stall.waited(time.monotonic() - began)
            if first is not None:
                break
            if self._stall.has_failed or self._stall.is_outage or time.monotonic() >= self._beat_due_at:
                return []
        return [first, *(self._waiting.get() for _ in range(self._waiting.qsize()))]

    def _commit(self, batch: list[_Waiting]) -> None:
        """Store the rows, then the heartbeat if one is asked for or due: no row has to fail with it."""
        if (error := self._end_silence()) is not None:
            _fail(batch, error)
            return
        batch = self._without_late(batch)
        beats = [waiting for waiting in batch if isinstance(waiting.row, Beat)]
        rows = [waiting for waiting in batch if not isinstance(waiting.row, Beat)] if beats else batch
        self._store(rows)
        if beats or not rows or time.monotonic() >= self._beat_due_at:
            self._beat(beats)

    def _end_silence(self) -> Exception | None:
        """Record the outage, if this process could write nothing; the error if it still cannot."""
        if self._has_begun and not (self._stall.has_failed or self._stall.is_outage):
            return None
        seconds = self._stall.seconds
        began = now() - timedelta(seconds=seconds)
        error = self._beat([])
        if error is None:
            self._has_begun = True
            if seconds > LONGEST_SILENCE.total_seconds():
                self._silence = began, now()
        return error

    def _end_stall(self) -> None:
        """Something was stored: before anybody learns of it, record the outage that it ends."""
        if self._stall.is_outage:
            ended = now()
            try:
                record_stall(ended - timedelta(seconds=self._stall.seconds), ended)
            except _UNREACHABLE as error:
                close_old_connections()
                self._stall.begin()
                logger.warning("an outage could not be recorded, which is tried again: %s", error)
                return
            except Exception:  # a server that can record turns must not stop for this
                logger.exception("an outage could not be recorded: it is charged to participants' clocks")
        self._stall.end()

    def _without_late(self, batch: list[_Waiting]) -> list[_Waiting]:
        """The batch without entries from the silence, which fail: clocks stood still then."""
        if self._silence is None:
            return batch
        began, ended = self._silence
        late = [one for one in batch if isinstance(one.row, NewEntry) and began < one.row.server_time < ended]
        if late:
            _fail(late, TimeoutError("nothing could be written for too long"))
        return [one for one in batch if one not in late]

    def _beat(self, beats: Sequence[_Waiting]) -> Exception | None:
        """Write the heartbeat for these callers; the error if it could not be written."""
        self._beat_due_at = time.monotonic() + SECONDS_BETWEEN_BEATS
        error = _settle_beats(beats)
        if error is None:
            self._end_stall()
        else:
            self._stall.begin()
        return error

    def _store(self, batch: list[_Waiting]) -> None:
        """Store a group in one transaction; one that cannot be stored whole in halves."""
        if not batch:
            return
        began = time.perf_counter()
        try:
            results = once_free(connections[DEFAULT_DB_ALIAS], lambda: _write(batch))
        except _UNREACHABLE as error:
            self._stall.begin()
            close_old_connections()
            _fail(batch, error)
        except Exception as error:
            if len(batch) == 1:
                logger.exception("a row cannot be stored in the journal")
                _fail(batch, error)
                return
            middle = len(batch) // 2
            self._store(batch[:middle])
            self._store(batch[middle:])
        else:
            self._end_stall()
            measures.JOURNAL_SECONDS.observe(time.perf_counter() - began)
            measures.JOURNAL_GROUPS.observe(len(batch))
            measures.JOURNAL_WRITTEN_AT.set_to_current_time()
            _settle(zip(batch, results, strict=True))  # last: the loop that it wakes needs the interpreter


def _write(batch: Sequence[_Waiting]) -> list[bool]:
    entries = [waiting.row for waiting in batch if isinstance(waiting.row, NewEntry)]
    events = [waiting.row for waiting in batch if isinstance(waiting.row, Event)]
    notes = [waiting.note for waiting in batch if waiting.note is not None]
    connection = connections[DEFAULT_DB_ALIAS]  # the proxy `django.db.connection` looks it up at each use
    with transaction_for(connection, len(entries), alone=not (events or notes)):
        appended = insert_entries(connection, entries)
        insert_events(connection, events)
        _insert_notes(notes, appended)
    results = []
    for waiting in batch:
        row = waiting.row
        key = (row.attempt_id, row.seq) if isinstance(row, NewEntry) else None
        results.append(key is None or key in appended)
        appended.discard(key)  # the same seq twice in one batch: the first one has it
    return results


def _insert_notes(notes: Sequence[AgentNote], appended: Collection[tuple[int, int] | None]) -> None:
    """Store the notes of the entries that entered; where a seq came twice, the first entry's."""
    first: dict[tuple[int, int], AgentNote] = {}
    for note in notes:
        if (note.attempt_id, note.seq) in appended:
            first.setdefault((note.attempt_id, note.seq), note)
    if first:
        AgentNote.objects.bulk_create(first.values())


def _settle_beats(beats: Sequence[_Waiting]) -> Exception | None:
    """Write this process's heartbeat, and settle the callers that wait for one; the error if it failed."""
    try:
        beaten = beat()
    except Exception as error:
        close_old_connections()
        logger.warning("the heartbeat of this process could not be written: %s", error)
        _fail(beats, error)
        return error
    measures.JOURNAL_WRITTEN_AT.set_to_current_time()
    _settle((waiting, beaten) for waiting in beats)
    return None


def _fail(batch: Sequence[_Waiting], error: BaseException) -> None:
    measures.JOURNAL_FAILURES.inc(len(batch))
    _settle((waiting, JournalFailed(f"{type(error).__name__}: {error}")) for waiting in batch)


def _settle(results: Iterable[tuple[_Waiting, _Result]]) -> None:
    """Give the results to the waiting callers: one call into each loop, which it wakes up for."""
    by_loop: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[Any], _Result]]] = defaultdict(list)
    for waiting, result in results:
        by_loop[waiting.loop].append((waiting.future, result))
    for loop, found in by_loop.items():
        try:
            loop.call_soon_threadsafe(_set, found)
        except RuntimeError:  # the loop was closed meanwhile
            logger.info("the callers that waited for rows of the journal have ended")


def _set(results: Iterable[tuple[asyncio.Future[Any], _Result]]) -> None:
    for future, result in results:
        if future.done():
            continue
        if isinstance(result, Exception):
            future.set_exception(result)
        else:
            future.set_result(result)


writer = JournalWriter(heartbeat.writer_health)


def append_event(event: Event) -> asyncio.Future[bool]:
    """Log an event without waiting for it; a failure is reported, because nobody may be waiting."""
    future = writer.append(event)
    future.add_done_callback(_report)
    return future


def _report(future: asyncio.Future[bool]) -> None:
    if not future.cancelled() and (error := future.exception()):
        logger.error("an event was not recorded: %s", error)
