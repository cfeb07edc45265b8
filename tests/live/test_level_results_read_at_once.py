"""Processes that read the same attempts at the same time, while they are played: no error, no wrong row."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tests.live.readers import TEXTS
from tests.live.seeder import PATIENCE_SECONDS
from tests.live.server import ROOT, Server


def test_processes_that_read_at_once_leave_what_the_rule_says(make_server: Callable[..., Server]) -> None:
    server = make_server()
    with (
        process(server, "reads") as first,
        process(server, "reads") as second,
        process(server, "plays") as player,
    ):
        assert [heard(reader) for reader in (first, second)] == ["ready", "ready"]
        rule_says = told(player)
        news = [told(reader) for reader in (first, second)]
        assert sum(news) >= len(TEXTS), "they read what was played"
        assert told(player) == rule_says
        assert [one.wait(PATIENCE_SECONDS) for one in (first, second, player)] == [0, 0, 0]


def test_processes_that_share_a_rebuild_leave_what_the_rule_says(make_server: Callable[..., Server]) -> None:
    server = make_server()
    with process(server, "plays") as player:
        rule_says = told(player)
        said = server.manage("rebuild", "--processes", "2").splitlines()
        assert said[-1] == f"{len(rule_says)} level results of {len(TEXTS)} attempts computed"
        assert told(player) == rule_says


@contextmanager
def process(server: Server, part: str) -> Iterator[subprocess.Popen[str]]:
    started = subprocess.Popen(
        [sys.executable, "-m", "tests.live.readers", part],
        cwd=ROOT,
        env=server.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with started:
        try:
            yield started
        finally:
            started.kill()


def told(process: subprocess.Popen[str]) -> Any:
    """What a process says when it is given a line."""
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()
    return heard(process)


def heard(process: subprocess.Popen[str]) -> Any:
    assert process.stdout is not None
    return json.loads(process.stdout.readline())
