"""The thread in which sockets call the database keeps its connection to SQLite.

Channels closes the connection after each call, and a new one has to read the schema again, which takes longer
than most queries. Threads of page requests go on closing theirs: they end with the request.
"""

import threading
from typing import Any

from channels.db import database_sync_to_async
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created


async def keep_connection() -> None:
    """Makes the thread of this event loop's database calls keep its connection from now on.

    One that fails is closed all the same, and opened again.
    """
    await database_sync_to_async(_keep)()


def _keep() -> None:
    thread = threading.get_ident()

    def keep(connection: BaseDatabaseWrapper, **_: Any) -> None:
        if connection.vendor == "sqlite" and threading.get_ident() == thread:
            connection.close_at = None

    connection_created.connect(keep, weak=False)
    connection.close()
