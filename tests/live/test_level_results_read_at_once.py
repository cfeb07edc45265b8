"""Processes update the results of the same attempts at once, during play, without errors."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.live.readers import TEXTS
from tests.live.seeder import PATIENCE_SECONDS
from tests.live.server import ROOT, Server


@pytest.mark.postgresql
def test_simultaneous_updates_give_the_results_of_the_rule(make_server: Callable[..., Server]) -> None:
    server = make_server()
    with (
        process(server, "reads") as first,
        process(server, "reads") as second,
        process(server, "plays") as player,
    ):
        assert [heard(reader) for reader in (first, second)] == ["ready", "ready"]
        rule_says = next_line(player)
        news = [next_line(reader) for reader in (first, second)]
        assert sum(news) > 0, "they read while it was played"
        assert next_line(player) == rule_says
        assert [one.wait(PATIENCE_SECONDS) for one in (first, second, player)] == [0, 0, 0]


@pytest.mark.long
@pytest.mark.once
def test_a_rebuild_shared_by_processes_gives_the_results_of_the_rule(
    make_server: Callable[..., Server],
) -> None:
    server = make_server()
    with process(server, "plays") as player:
        rule_says = next_line(player)
        said = server.manage("rebuild", "--processes", "2").splitlines()
        assert f"{len(rule_says)} level results of {len(TEXTS)} attempts computed" in said
        assert next_line(player) == rule_says


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


def next_line(process: subprocess.Popen[str]) -> Any:
    """Sends a line to a process and returns its answer."""
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()
    return heard(process)


def heard(process: subprocess.Popen[str]) -> Any:
    assert process.stdout is not None
    return json.loads(process.stdout.readline())
