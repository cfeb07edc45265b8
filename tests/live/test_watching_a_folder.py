"""`manage.py watch` in a process of its own: changes while it runs."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from shutil import copytree
from time import monotonic, sleep

import pytest

from tests.live.server import ROOT, Server

pytestmark = pytest.mark.once

GAMES = ROOT / "games"


@pytest.mark.long
def test_each_change_is_imported_and_errors_do_not_end_it(
    make_server: Callable[..., Server], tmp_path: Path
) -> None:
    for name in ("rv64", "_shared"):
        copytree(GAMES / name, tmp_path / "games" / name)
    folder, log = tmp_path / "games" / "rv64", tmp_path / "watch.log"
    server = make_server(GAMES_DIR=str(tmp_path / "none"))
    with log.open("w") as said:
        process = subprocess.Popen(
            [sys.executable, "-u", "manage.py", "watch", str(folder)],
            cwd=ROOT, env=server.environment, stdout=said, stderr=said,
        )  # fmt: skip
    try:
        until(log, "ok     recordings/win.jsonl")
        rules = folder / "source" / "rules.py"
        text = rules.read_text()
        rules.write_text(text + "def broken(:\n")
        until(log, "this is not Python")
        rules.write_text(text)
        until(log, "recordings play", 2)
        shared = folder.parent / "_shared" / "cells.py"
        shared.write_text(shared.read_text() + "\nEDITED = 1\n")
        until(log, "recordings play", 3)
    finally:
        process.terminate()
        process.wait()
    assert server.rows("SELECT COUNT(*) FROM studio_version WHERE is_draft") == [(1,)]
    assert log.read_text().count("rv64-") == 3, "packing itself is no change"


def until(log: Path, wanted: str, times: int = 1) -> None:
    deadline = monotonic() + 60
    while log.read_text().count(wanted) < times:
        assert monotonic() < deadline, log.read_text()
        sleep(0.05)
