"""Workers that start at the same moment on a new installation lose no queue of the broker in a folder."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from kombu import Connection, Exchange, Queue

from playtest.serve.broker import Transport

WORKERS, QUEUES = 6, 300


@pytest.fixture(autouse=True)
def often() -> Iterator[None]:
    """Threads take turns as often as processes do."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


def test_bindings_of_workers_that_start_together_are_all_kept(tmp_path: Path) -> None:
    folders = dict.fromkeys(("data_folder_in", "data_folder_out"), str(tmp_path / "messages"))
    options = folders | {"control_folder": str(tmp_path / "control")}
    (tmp_path / "messages").mkdir()
    begin = Barrier(WORKERS)

    def bind(worker: int) -> None:
        with Connection(transport=Transport, transport_options=options) as connection:
            channel = connection.channel()
            for number in range(QUEUES):
                begin.wait(30)  # one that fails leaves the others alone
                queue = Queue(f"queue-{worker}-{number}", Exchange(f"exchange-{number}"), routing_key="all")
                queue(channel).declare()

    with ThreadPoolExecutor(WORKERS) as workers:
        list(workers.map(bind, range(WORKERS)))
    with Connection(transport=Transport, transport_options=options) as connection:
        channel: Any = connection.channel()
        for number in range(QUEUES):
            bound = {queue for _, _, queue in channel.get_table(f"exchange-{number}")}
            assert bound == {f"queue-{worker}-{number}" for worker in range(WORKERS)}
