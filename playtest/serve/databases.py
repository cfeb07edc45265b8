"""Connections to the database: which are kept, and which are tried before they are used."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from channels.db import database_sync_to_async
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

if TYPE_CHECKING:
    from psycopg import Connection


async def keep_connection() -> None:
    """Makes the thread in which sockets call the database keep its connection to SQLite from now on.

    Channels closes it after each call, and a new one has to read the schema again, which takes longer than
    most queries. Threads of page requests go on closing theirs. One that fails is closed and opened again.
    """
    await database_sync_to_async(_keep)()


def _keep() -> None:
    thread = threading.get_ident()

    def keep(connection: BaseDatabaseWrapper, **_: Any) -> None:
        if connection.vendor == "sqlite" and threading.get_ident() == thread:
            connection.close_at = None

    connection_created.connect(keep, weak=False)
    connection.close()


def check(connection: Connection[Any]) -> None:
    """Raises OperationalError if the pool's connection has ended; then all others are made anew, too.

    A restart of PostgreSQL ends all of them at once. The pool's own check tries one after the other, with
    growing pauses, until whoever asked for one gives up.
    """
    from psycopg import OperationalError  # not loaded where SQLite is used
    from psycopg_pool import ConnectionPool

    try:
        ConnectionPool.check_connection(connection)
    except OperationalError:
        from django.db import connection as django

        django.pool.drain()  # type: ignore[attr-defined]
        raise
