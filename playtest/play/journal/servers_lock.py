"""The lock that all processes that serve a database share, so that one that starts knows if it is alone.

It ends with its process, however that ends, and at once: on SQLite it is a lock of a file beside the
database, which the kernel gives back; on PostgreSQL an advisory lock of a connection of its own.
"""

import atexit
import contextlib
import fcntl
import threading
import zlib
from pathlib import Path
from typing import IO, Any, cast

from django.conf import settings
from django.db import DatabaseError, connection


class ServersLock:
    """One process's part in the lock of this name; it is opened at first use. Threads take turns."""

    def __init__(self, name: str = "servers") -> None:
        self._name = name
        self._lock: _OfFile | _OfPostgresql | None = None
        self._turn = threading.Lock()
        atexit.register(self.release)

    def others_hold(self) -> bool:
        """Whether another process holds the lock, which this one does not hold. OperationalError."""
        with self._turn:
            return self._opened().others_hold()

    def hold(self) -> None:
        """Hold the lock until this process ends; called again, it is taken again if it was lost.

        It waits for nobody: the next call takes it if another process asks just now. OperationalError.
        """
        with self._turn:
            self._opened().hold()

    def release(self) -> None:
        """Give the lock back."""
        with self._turn:
            if self._lock is not None:
                self._lock.release()
            self._lock = None

    def _opened(self) -> "_OfFile | _OfPostgresql":
        if self._lock is None:
            of_postgresql = connection.vendor == "postgresql"
            self._lock = _OfPostgresql(self._name) if of_postgresql else _OfFile(self._name)
        return self._lock


class _OfFile:
    """A lock of the file `<name>.lock` beside the database."""

    def __init__(self, name: str) -> None:
        database = Path(connection.settings_dict["NAME"]).resolve()
        folder = (
            database.parent if database.is_file() else settings.DATA_DIR
        )  # a test's database is in memory
        self._file: IO[str] = (folder / f"{name}.lock").open("a")

    def others_hold(self) -> bool:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        fcntl.flock(self._file, fcntl.LOCK_UN)
        return False

    def hold(self) -> None:
        with contextlib.suppress(BlockingIOError):
            fcntl.flock(self._file, fcntl.LOCK_SH | fcntl.LOCK_NB)

    def release(self) -> None:
        self._file.close()


class _OfPostgresql:
    """An advisory lock of the database, whose number is made from the name."""

    def __init__(self, name: str) -> None:
        self._number = zlib.crc32(name.encode())
        self._psycopg = cast("Any", connection).Database
        self._connection: Any = None
        self._holds = False

    def others_hold(self) -> bool:
        if not self._ask("SELECT pg_try_advisory_lock(%s)", self._number):
            return True
        self._ask("SELECT pg_advisory_unlock(%s)", self._number)
        return False

    def hold(self) -> None:
        if not (self._holds and self._is_connected()):
            self._holds = bool(self._ask("SELECT pg_try_advisory_lock_shared(%s)", self._number))

    def release(self) -> None:
        if self._connection is not None:
            if self._holds and not self._connection.closed:
                with contextlib.suppress(self._psycopg.Error):  # it ends with the connection, too, but later
                    self._connection.execute("SELECT pg_advisory_unlock_all()")
            self._connection.close()
        self._connection, self._holds = None, False

    def _is_connected(self) -> bool:
        """Whether the connection that holds the lock is still there; else another is made."""
        try:
            self._ask("SELECT %s", 1)
        except DatabaseError:
            self.release()
            return False
        return True

    def _ask(self, query: str, number: int) -> Any:
        with connection.wrap_database_errors:
            if self._connection is None or self._connection.closed:
                self._holds = False
                parameters = connection.get_connection_params()
                self._connection = self._psycopg.connect(**parameters, autocommit=True)
            row = self._connection.execute(query.encode(), (number,)).fetchone()
        assert row is not None
        return row[0]
