"""Workers find complete messages only in the embedded broker."""

from pathlib import Path
from queue import Empty
from threading import Thread
from typing import Any

from kombu import Connection

import playtest.celery
from playtest.serve.broker import Transport

BODY = "x" * 5_000_000
"""Long enough in the writing for a reader to come upon it."""
MESSAGES = 8


def channel(folder: Path) -> Any:
    options = {name: str(folder) for name in ("data_folder_in", "data_folder_out", "control_folder")}
    return Connection(transport=Transport, transport_options=options).channel()


def test_a_worker_never_finds_a_message_that_is_still_being_written(tmp_path: Path) -> None:
    def write() -> None:
        writer = channel(tmp_path)
        for number in range(MESSAGES):
            writer._put("work", {"number": number, "body": BODY})

    reader = channel(tmp_path)
    seen: list[int] = []
    thread = Thread(target=write)
    thread.start()
    while len(seen) < MESSAGES:
        try:
            seen.append(reader._get("work")["number"])
        except Empty:
            assert thread.is_alive() or reader._size("work"), "a message was lost"
    thread.join()
    assert seen == list(range(MESSAGES))
    assert list(tmp_path.iterdir()) == []


def test_celery_uses_the_embedded_broker() -> None:
    transport: object = playtest.celery.app.connection_for_write("filesystem://").transport
    assert isinstance(transport, Transport)
