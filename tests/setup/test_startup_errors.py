"""`make up` reports what prevents serving before it starts anything."""

import os
import socket
import subprocess
import sys
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from playtest.serve import up
from playtest.serve.deployment import CannotServe, file_lock, serving_lock

ROOT = Path(__file__).parents[2]


def test_served_data_cannot_be_served_by_a_second_process(tmp_path: Path, settings: Any) -> None:
    settings.DATA_DIR, settings.REDIS_URL, settings.PORT = tmp_path, "", 8123
    refused = pytest.raises(CannotServe, match=r"http://127.0.0.1:8123/. \(data_in_use\)")
    with serving_lock(), refused, serving_lock():
        pass
    with serving_lock():  # the next may, once the first has ended
        pass
    settings.REDIS_URL = "redis://somewhere"
    with serving_lock(), serving_lock():
        pass


def test_a_port_in_use_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(CannotServe, match=rf"Port {port} of .*\(address_unusable\)"):
            up.check_port("127.0.0.1", port)
    up.check_port("127.0.0.1", port)


def test_a_second_prepare_waits_for_the_first(tmp_path: Path) -> None:
    waits, order = Event(), []

    def second() -> None:
        with file_lock(tmp_path / "lock", lambda _: waits.set()):
            order.append("second")

    thread = Thread(target=second)
    with file_lock(tmp_path / "lock", pytest.fail):
        thread.start()
        assert waits.wait(60)
        order.append("first")
    thread.join()
    assert order == ["first", "second"]


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [("PORT", "eighty", "port_invalid"), ("DATA_DIR", "/dev/null/data", "data_dir_unusable")],
)
def test_an_invalid_setting_is_reported_in_one_sentence(name: str, value: str, code: str) -> None:
    said = prepare(**{name: value})
    assert said.endswith(f"({code})\n")
    assert value in said
    assert len(said.splitlines()) == 1


@pytest.mark.long
def test_an_unreachable_database_is_reported_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "playtest.sqlite3").mkdir()
    said = prepare(DATA_DIR=str(tmp_path))
    assert said.startswith("CommandError: database_unusable: unable to open database file")
    assert len(said.splitlines()) == 1


def prepare(**settings: str) -> str:
    """Runs the preparation, which must fail, and returns its message."""
    environment = {key: text for key, text in os.environ.items() if key not in ("SECRET_KEY", "DATABASE_URL")}
    failed = subprocess.run(
        [sys.executable, "manage.py", "prepare"],
        cwd=ROOT,
        env={**environment, **settings},
        capture_output=True,
        text=True,
        check=False,
    )
    assert failed.returncode == 1
    return failed.stderr
