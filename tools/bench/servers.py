"""The server that is measured: with the settings of an installation, where tests have others."""

import socket
import time
from pathlib import Path

from tests.live.server import Server


def as_installed(folder: Path, template: Path) -> Server:
    """A server with a copy of this database, and as many hosts as an installation has."""
    return Server(folder, template, ENGINE_HOSTS="0", ENGINE_SPARE_HOSTS="8")


def wait_for(port: int) -> None:
    """Waits until something listens on the port, without a request."""
    for _ in range(600):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError(f"nothing listens on port {port}")
