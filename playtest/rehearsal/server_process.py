"""The server process of a rehearsal, which serves the same data in virtual time."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings

from playtest.rehearsal.browser import RehearsalFailed

_START_SECONDS = 60
_STOP_SECONDS = 15


@contextmanager
def server(clock: Path, log: Path) -> Iterator[str]:
    """Runs the server and yields its address; its output goes to `log`. Raises RehearsalFailed."""
    port = _free_port()
    root = f"http://127.0.0.1:{port}"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [settings.BASE_DIR / "scripts" / "with-parent", sys.executable, "-m", "playtest.rehearsal.serve"],
            cwd=settings.BASE_DIR,
            env={
                **os.environ,
                "DATA_DIR": str(settings.DATA_DIR),
                "HOST": "127.0.0.1",
                "PORT": str(port),
                "ALLOWED_HOSTS": "127.0.0.1",
                "HTTPS": "0",
                "DJANGO_SETTINGS_MODULE": "playtest.rehearsal.settings",
                "REHEARSAL_CLOCK": str(clock),
            },
            stdout=output,
            stderr=output,
        )
    try:
        _wait_until_healthy(root, process, log)
        yield root
    finally:
        process.terminate()
        try:
            process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def check(root: str) -> None:
    """Raises RehearsalFailed if no healthy server answers at `root`."""
    try:
        _check_health(root)
    except OSError as error:
        raise RehearsalFailed(f"No server answers at {root}: {error}") from error


def _check_health(root: str) -> None:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    opener.open(f"{root}/healthz", timeout=5).close()


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def _wait_until_healthy(root: str, process: "subprocess.Popen[bytes]", log: Path) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RehearsalFailed(f"Its server ended while starting: {_last_line(log)}")
        try:
            _check_health(root)
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise RehearsalFailed(f"Its server did not start within {_START_SECONDS} seconds: {_last_line(log)}")


def _last_line(log: Path) -> str:
    lines = log.read_text(errors="replace").split("\n")
    return next((line for line in reversed(lines) if line.strip()), "it printed nothing")
