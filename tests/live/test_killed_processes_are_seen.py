"""A killed worker, beat and exporter is on the home of a lead within 75 seconds, by name."""

import html
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from playtest.serve.up import commands
from tests.live.server import ROOT, Server
from tests.live.test_starting_the_product import wait_for, working_on
from tests.live.visitor import Visitor

pytestmark = [pytest.mark.long, pytest.mark.once]

KINDS = {"worker": "--pool solo --loglevel", "exporter": "--hostname exporter", "beat": " beat "}
"""What is killed, and what only its command has."""
SEEN_WITHIN_SECONDS = 75


@contextmanager
def running(server: Server, kinds: list[str]) -> Iterator[None]:
    """These lines of the Procfile, with nothing that restarts them."""
    for folder in ("messages", "control"):
        (server.folder / "broker" / folder).mkdir(parents=True, exist_ok=True)
    lines = commands(ROOT / "Procfile")
    with (server.folder / "workers.log").open("ab") as log:
        started = [
            subprocess.Popen(
                ["/bin/sh", "-c", lines[kind]], cwd=ROOT, env=server.environment, stdout=log, stderr=log
            )
            for kind in kinds
        ]
    try:
        yield
    finally:
        for one in started:
            one.kill()
            one.wait()


def missing(lead: Visitor) -> set[str]:
    """The kinds of which the home says that none runs."""
    home = html.unescape(lead.get("/staff/").text)
    return {kind for kind in KINDS if f"No process {kind} runs" in home}


def test_killed_processes_are_on_the_home_within_75_seconds(make_server: Callable[..., Server]) -> None:
    server = make_server()
    lead = server.staff(server.start(), "lead")
    with running(server, [*KINDS]):
        wait_for(lambda: not missing(lead), lambda: (server.folder / "workers.log").read_text())
        for pid, command in list(working_on(server.folder)):
            if any(text in command for text in KINDS.values()):
                os.kill(pid, signal.SIGKILL)
        killed = time.monotonic()
        assert missing(lead) == set()
        while missing(lead) != {*KINDS}:
            assert time.monotonic() - killed < SEEN_WITHIN_SECONDS, missing(lead)
            time.sleep(1)
