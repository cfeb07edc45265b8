"""The server that is measured: with the settings of an installation, where tests have others."""

from pathlib import Path

from tests.live.server import Server


def as_installed(folder: Path, template: Path) -> Server:
    """A server with a copy of this database, and as many hosts as an installation has."""
    return Server(folder, template, ENGINE_HOSTS="0", ENGINE_SPARE_HOSTS="8")
