"""The journal's writer: a thread that stores all waiting rows in one transaction, then acknowledges.

No timer: waiting would only add its own length. The queue is swapped under its lock, so no row is
acknowledged that was not in the committed transaction. A row that cannot be stored fails alone: its group is
halved until it is found. Nothing ends the thread.
"""

import asyncio
import json
import logging
import threading
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db import InterfaceError, OperationalError, close_old_connections, connection, transaction

from engine.frames import inflated
from playtest.play.heartbeat import SECONDS_BETWEEN_BEATS, Beat, beat
from playtest.play.journal_sql import insert_entries, insert_events
from playtest.play.models import AgentNote, Entry, Event

logger = logging.getLogger(__name__)

_UNREACHABLE = (OperationalError, InterfaceError)
"""Errors that no row causes: the group is not halved, because each half would wait as long."""


class JournalFailed(Exception):
    """The row was not stored, or it is unknown whether its transaction was committed."""


ENTRY_COLUMNS = tuple(column.attname for column in Entry._meta.concrete_fields if not column.primary_key)
EVENT_COLUMNS = tuple(column.attname for column in Event._meta.concrete_fields if not column.primary_key)

type _Row = Entry | Event | Beat
type _Result = bool | Beat | Exception


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A row and the future of its caller; `values` are its columns once they are prepared."""

    row: _Row
    future: asyncio.Future[Any]
    loop: asyncio.AbstractEventLoop
    values: tuple[Any, ...] = ()
    note: AgentNote | None = None

    def settle(self, result: _Result) -> None:
        """Give the result to the waiting caller, if its loop still runs."""
        try:
            self.loop.call_soon_threadsafe(_set, self.future, result)
        except RuntimeError:  # the loop was closed meanwhile
            logger.info("the caller that waited for a row of the journal has ended")


def inflate(frames: bytes | memoryview) -> bytes:
    """The frames of a stored entry as on the wire; at most LARGEST_PAYLOAD_BYTES. Raises PayloadError."""
    return inflated(bytes(frames))


class JournalWriter:
    """Appends rows from any event loop of this process; starts its thread on first use."""

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._waiting: list[_Waiting] = []
        self._thread: threading.Thread | None = None

    def append(self, row: Entry | Event, note: AgentNote | None = None) -> asyncio.Future[bool]:
        """A future that is done once the row is durable, and with an entry its `note`.

        True: appended. False: an entry with this attempt and seq is there already, or the attempt has ended.
        Raises JournalFailed when it was not stored.
        """
        return self._enqueue(row, note)

    def beat(self) -> asyncio.Future[Beat]:
        """Write this process's heartbeat after all waiting rows; done once it is durable.

        Raises JournalFailed when it was not stored.
        """
        return self._enqueue(Beat())

    def start(self) -> None:
        """Start the thread, if none runs: from then on it writes heartbeats by itself."""
        with self._condition:
            self._start()

    def _enqueue(self, row: _Row, note: AgentNote | None = None) -> asyncio.Future[Any]:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Any] = loop.create_future()
        with self._condition:
            self._waiting.append(_Waiting(row, future, loop, note=note))
            self._start()
            self._condition.notify()
        return future

    def _start(self) -> None:
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        _settle_beats([])
        while True:
            batch = self._next()
            try:
                self._commit(batch)
            except BaseException as error:
                logger.exception("the journal's writer failed, and goes on")
                _fail(batch, error)

    def _next(self) -> list[_Waiting]:
        """The waiting rows; after ten seconds without any, none, and a heartbeat is due."""
        with self._condition:
            if not self._waiting:
                self._condition.wait(SECONDS_BETWEEN_BEATS)
            batch, self._waiting = self._waiting, []
        return batch

    def _commit(self, batch: list[_Waiting]) -> None:
        """Store the rows, then the heartbeat, which no row has to fail with."""
        beats = [waiting for waiting in batch if isinstance(waiting.row, Beat)]
        rows = [waiting for waiting in batch if not isinstance(waiting.row, Beat)]
        self._store([prepared for waiting in rows if (prepared := _prepared(waiting))])
        if beats or not rows:
            _settle_beats(beats)

    def _store(self, batch: list[_Waiting]) -> None:
        """Store a group in one transaction; one that cannot be stored whole in halves."""
        if not batch:
            return
        try:
            results = _write(batch)
        except _UNREACHABLE as error:
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
            for waiting, result in zip(batch, results, strict=True):
                waiting.settle(result)


def _write(batch: Sequence[_Waiting]) -> list[bool]:
    entries = [waiting.values for waiting in batch if isinstance(waiting.row, Entry)]
    events = [waiting.values for waiting in batch if isinstance(waiting.row, Event)]
    with transaction.atomic():
        appended = insert_entries(connection, ENTRY_COLUMNS, entries)
        insert_events(connection, EVENT_COLUMNS, events)
        _insert_notes(batch, appended)
    results = []
    for waiting in batch:
        row = waiting.row
        key = (row.attempt_id, row.seq) if isinstance(row, Entry) else None
        results.append(key is None or key in appended)
        appended.discard(key)  # the same seq twice in one batch: the first one has it
    return results


def _insert_notes(batch: Sequence[_Waiting], appended: Collection[tuple[int, int] | None]) -> None:
    """Store the notes of the entries that entered; where a seq came twice, the first entry's."""
    notes: dict[tuple[int, int], AgentNote] = {}
    for waiting in batch:
        if (note := waiting.note) is not None and (note.attempt_id, note.seq) in appended:
            notes.setdefault((note.attempt_id, note.seq), note)
    if notes:
        AgentNote.objects.bulk_create(notes.values())


def _settle_beats(beats: Sequence[_Waiting]) -> None:
    """Write this process's heartbeat, and settle the callers that wait for one."""
    try:
        beaten = beat()
    except Exception as error:
        close_old_connections()
        logger.warning("the heartbeat of this process could not be written: %s", error)
        _fail(beats, error)
    else:
        for waiting in beats:
            waiting.settle(beaten)


def _prepared(waiting: _Waiting) -> _Waiting | None:
    """The row with its columns' values; None, and it has failed, if they cannot be made."""
    try:
        values = _values(waiting.row)
    except Exception as error:
        logger.exception("a row cannot be made for the journal")
        _fail([waiting], error)
        return None
    return replace(waiting, values=values)


def _values(row: _Row) -> tuple[Any, ...]:
    match row:
        case Entry():
            return _entry_values(row)
        case Event():
            return _event_values(row)
        case Beat():
            return ()


def _entry_values(row: Entry) -> tuple[Any, ...]:
    if type(row.frames) is not bytes:  # SQLite would store text as it is
        raise TypeError("the frames of an entry are bytes")
    return tuple(getattr(row, name) for name in ENTRY_COLUMNS)


def _event_values(row: Event) -> tuple[Any, ...]:
    return tuple(
        json.dumps(row.details) if name == "details" else getattr(row, name) for name in EVENT_COLUMNS
    )


def _fail(batch: Sequence[_Waiting], error: BaseException) -> None:
    for waiting in batch:
        waiting.settle(JournalFailed(f"{type(error).__name__}: {error}"))


def _set(future: asyncio.Future[Any], result: _Result) -> None:
    if future.done():
        return
    if isinstance(result, Exception):
        future.set_exception(result)
    else:
        future.set_result(result)


writer = JournalWriter()


def append_event(event: Event) -> asyncio.Future[bool]:
    """Log an event without waiting for it; a failure is reported, because nobody may be waiting."""
    future = writer.append(event)
    future.add_done_callback(_report)
    return future


def _report(future: asyncio.Future[bool]) -> None:
    if not future.cancelled() and (error := future.exception()):
        logger.error("an event was not recorded: %s", error)
