"""Copies of the product's environments with baselines, and servers that serve them."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import requests
from django.core.management import call_command

from tests.live.server import ROOT, free_port

BASELINES = {
    "mb62": [9, 30, 29, 20, 26, 27, 24],
    "tz85": [16, 25, 20, 35, 34, 36, 39, 35],
    "vq37": [30, 41, 18, 30, 28, 20, 25, 35],
}
"""Some above, some below what the recordings take, so that levels score on both sides of 100."""


@pytest.fixture(scope="session")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The environments of games/ with a baseline each."""
    folder = tmp_path_factory.mktemp("games")
    for code, baseline in BASELINES.items():
        shutil.copytree(ROOT / "games" / code, folder / code)
        metadata = folder / code / "metadata.json"
        metadata.write_text(json.dumps(json.loads(metadata.read_text()) | {"baseline_actions": baseline}))
    return folder


@pytest.fixture(scope="session")
def official(games: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of an official local server."""
    port, folder = free_port(), tmp_path_factory.mktemp("official")
    arguments = [str(port), str(games), str(folder)]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.arena.agents.official_server", *arguments],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=log,
            stderr=log,
        )
        url = f"http://127.0.0.1:{port}"
        try:
            _wait(f"{url}/api/healthcheck", process)
            yield url
        finally:
            process.terminate()
            process.wait()


def _wait(url: str, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end and process.poll() is None:
        try:
            requests.get(url, timeout=5)
        except requests.ConnectionError:
            time.sleep(0.1)
        else:
            return
    raise AssertionError(f"{url} did not answer")


@pytest.fixture
def play_agent() -> Callable[..., dict[str, Any]]:
    """Runs `manage.py play_agent ... --json` and returns what it prints."""

    def play(name: str, *arguments: str) -> dict[str, Any]:
        printed = StringIO()
        call_command("play_agent", name, *arguments, "--json", stdout=printed, stderr=StringIO())
        return dict(json.loads(printed.getvalue()))

    return play
