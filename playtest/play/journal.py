"""The journal's writer: one thread that takes all that waits, one transaction, then acknowledges.

No timer: waiting would only add its own length. The queue is swapped under its lock, so no row is
acknowledged that was not in the committed transaction.
"""

import asyncio
import json
import logging
import threading
import zlib
from dataclasses import astuple, dataclass, field, fields
from datetime import datetime
from typing import Any

from django.db import Error, close_old_connections, connection, transaction

from engine.errors import PayloadError
from playtest.play.clock import now
from playtest.play.journal_sql import insert_entries, insert_events

logger = logging.getLogger(__name__)


class JournalFailed(Exception):
    """The transaction was not committed: nothing of it is in the journal."""


@dataclass(frozen=True, slots=True)
class NewEntry:
    """A row to append; columns as in `play.models.Entry`, `frames` not yet deflated.

    `chain` is the value of `play.chain` for this entry.
    """

    attempt_id: int
    seq: int
    action: int
    x: int | None
    y: int | None
    level: int
    levels_completed: int
    level_completed: bool
    state: str
    available: int
    changed: bool
    state_hash: bytes
    frame_count: int
    frames: bytes
    input_kind: int
    server_time: datetime
    client_time: datetime | None
    previous_paint_ms: int | None
    chain: bytes


@dataclass(frozen=True, slots=True)
class NewEvent:
    """A row for the second log; columns as in `play.models.Event`."""

    session_id: int
    attempt_id: int | None
    kind: str
    server_time: datetime
    client_time: datetime | None = None
    staff_id: int | None = None
    details: dict[str, Any] = field(default_factory=dict)


ENTRY_COLUMNS = tuple(column.name for column in fields(NewEntry))
EVENT_COLUMNS = tuple(column.name for column in fields(NewEvent))

type _Waiting = tuple[NewEntry | NewEvent, asyncio.Future[bool], asyncio.AbstractEventLoop]


def inflate(frames: bytes | memoryview) -> bytes:
    """The wire's frames of a stored entry. PayloadError payload_malformed where the bytes are damaged."""
    try:
        return zlib.decompress(bytes(frames))
    except zlib.error as error:
        raise PayloadError("payload_malformed", f"the stored frames cannot be inflated: {error}") from error


class JournalWriter:
    """Appends rows from any event loop of this process; starts its thread on first use."""

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._waiting: list[_Waiting] = []
        self._thread: threading.Thread | None = None

    def append(self, row: NewEntry | NewEvent) -> asyncio.Future[bool]:
        """A future that is done once the row is durable.

        True: appended. False: an entry with this attempt and seq is there already, or the attempt has ended.
        Raises JournalFailed when the transaction failed.
        """
        loop = asyncio.get_running_loop()
        future: asyncio.Future[bool] = loop.create_future()
        with self._condition:
            self._waiting.append((row, future, loop))
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
                self._thread.start()
            self._condition.notify()
        return future

    def _run(self) -> None:
        while True:
            with self._condition:
                while not self._waiting:
                    self._condition.wait()
                batch, self._waiting = self._waiting, []
            self._commit(batch)

    def _commit(self, batch: list[_Waiting]) -> None:
        rows = [row for row, _, _ in batch]
        try:
            results = self._write(rows)
        except Error as error:
            close_old_connections()
            for _, future, loop in batch:
                _settle(loop, future, JournalFailed(str(error)))
            return
        for (_, future, loop), appended in zip(batch, results, strict=True):
            _settle(loop, future, appended)

    def _write(self, rows: list[NewEntry | NewEvent]) -> list[bool]:
        entries = [row for row in rows if isinstance(row, NewEntry)]
        events = [row for row in rows if isinstance(row, NewEvent)]
        with transaction.atomic():
            appended = insert_entries(connection, ENTRY_COLUMNS, [_entry_values(row) for row in entries])
            insert_events(connection, EVENT_COLUMNS, [_event_values(row) for row in events])
        results = []
        for row in rows:
            key = (row.attempt_id, row.seq) if isinstance(row, NewEntry) else None
            results.append(key is None or key in appended)
            appended.discard(key)  # the same seq twice in one batch: the first one has it
        return results


def _entry_values(row: NewEntry) -> tuple[Any, ...]:
    return tuple(
        zlib.compress(value, 1) if name == "frames" else value
        for name, value in zip(ENTRY_COLUMNS, astuple(row), strict=True)
    )


def _event_values(row: NewEvent) -> tuple[Any, ...]:
    return tuple(
        json.dumps(value) if name == "details" else value
        for name, value in zip(EVENT_COLUMNS, astuple(row), strict=True)
    )


def _settle(loop: asyncio.AbstractEventLoop, future: asyncio.Future[bool], result: bool | Exception) -> None:
    def settle() -> None:
        if future.done():
            return
        if isinstance(result, Exception):
            future.set_exception(result)
        else:
            future.set_result(result)

    if not loop.is_closed():
        loop.call_soon_threadsafe(settle)


writer = JournalWriter()


def append_event(event: NewEvent) -> asyncio.Future[bool]:
    """Log an event without waiting for it; a failure is reported, because nobody may be waiting."""
    future = writer.append(event)
    future.add_done_callback(_report)
    return future


def _report(future: asyncio.Future[bool]) -> None:
    if not future.cancelled() and (error := future.exception()):
        logger.error("an event was not recorded: %s", error)


def can_write() -> bool:
    """Whether the journal takes rows: an entry of no attempt goes all the way and enters nothing."""
    probe = NewEntry(0, 0, 0, None, None, 0, 0, False, "", 0, False, b"", 0, b"", 0, now(), None, None, b"")
    try:
        with transaction.atomic():
            insert_entries(connection, ENTRY_COLUMNS, [_entry_values(probe)])
    except Error:
        return False
    return True
