"""What ends is restarted alone, after a wait that grows while it keeps ending."""

import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import IO

from playtest.serve.up import LONGEST_WAIT_SECONDS, STEADY_SECONDS, BackOff
from tests.setup.rooms import ROOT

PROGRAM = """
from playtest.serve import up
up.FIRST_WAIT_SECONDS = 0.1
commands = {"broken": "echo broken >> broken; exit 3", "steady": "echo steady >> steady; exec sleep 60"}
print("rc", up.Supervisor(commands).run())
"""


def test_the_wait_doubles_up_to_five_seconds_and_begins_again_after_a_steady_run() -> None:
    back_off = BackOff()
    waits = [back_off.after(0.1) for _ in range(5)]
    assert waits == [1, 2, 4, LONGEST_WAIT_SECONDS, 5]
    assert [back_off.after(STEADY_SECONDS), back_off.after(0.1)] == [1, 2]


def test_a_command_that_keeps_ending_is_restarted_and_the_other_is_left_alone(tmp_path: Path) -> None:
    supervisor = started(tmp_path, PROGRAM)
    wait_for_restarts(tmp_path / "broken", 2)
    supervisor.terminate()
    said, reported = supervisor.communicate(timeout=30)
    assert (tmp_path / "steady").read_text() == "steady\n"
    waits = re.findall(r"broken ended \(rc=3\) and is restarted in ([\d.]+) s\.", reported)
    assert waits[:2] == ["0.1", "0.2"]
    assert "steady stopped (rc=-15)" in reported
    assert said == "rc 0\n"


def test_what_runs_goes_on_when_the_log_cannot_be_written(tmp_path: Path) -> None:
    with Path("/dev/full").open("w") as full:
        supervisor = started(tmp_path, PROGRAM, full)
    wait_for_restarts(tmp_path / "broken", 1)
    supervisor.terminate()
    assert supervisor.communicate(timeout=30)[0] == "rc 0\n"
    assert (tmp_path / "steady").read_text() == "steady\n"


def test_others_start_once_the_first_serves_and_what_is_left_is_run_once(tmp_path: Path) -> None:
    program = (
        "from pathlib import Path; from playtest.serve import up; up.FIRST_WAIT_SECONDS = 0.1; "
        "serve = 'sleep 0.5; touch serves; exec sleep 60'; "
        "commands = {'web': serve, 'other': 'cp serves seen; exec sleep 60'}; "
        "left = ['sh', '-c', 'echo broken >> left; exit 3']; "
        "up.Supervisor(commands, Path('serves').exists, lambda: left).run()"
    )
    supervisor = started(tmp_path, program)
    wait_for_restarts(tmp_path / "left", 0)
    time.sleep(0.5)
    supervisor.terminate()
    reported = supervisor.communicate(timeout=30)[1]
    assert (tmp_path / "seen").exists()
    assert (tmp_path / "left").read_text() == "broken\n"
    assert "prepare" not in reported


def started(folder: Path, program: str, errors: IO[str] | int = subprocess.PIPE) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=errors,
        text=True,
    )


def wait_for_restarts(written: Path, restarts: int) -> None:
    """Waits until the command that writes a line each time has been started again so often."""
    deadline = time.monotonic() + 30
    while not written.exists() or written.read_text().count("broken") <= restarts:
        assert time.monotonic() < deadline
        time.sleep(0.1)
