"""Connections to PostgreSQL that ended while they were in the pool are found before anybody uses them.

A restart of PostgreSQL ends all of them at once. The pool's own check tries one after the other, with growing
pauses, until whoever asked for one gives up.
"""

from typing import Any

from psycopg import Connection, OperationalError
from psycopg_pool import ConnectionPool


def check(connection: Connection[Any]) -> None:
    """Raises OperationalError if the connection has ended; then all others are made anew, too."""
    try:
        ConnectionPool.check_connection(connection)
    except OperationalError:
        from django.db import connection as django  # settings name this function

        django.pool.drain()  # type: ignore[attr-defined]
        raise
