"""Foreign code that undid what Python forbids reaches no file, no network, no process and no privilege.

Each attack runs in a confined process (`tests.engine.hostile`); those that harm nothing also run in one that
is not confined, where they succeed. Skipped where the kernel lacks something (`python -m
engine.confine.kernel`).
"""

from __future__ import annotations

import json
import os
import platform
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from engine.confine import kernel
from engine.confine.process import PROJECT
from tests.engine.attacks import ENDED, HARMS, READS

SECRET = "the-secret-of-the-key-file"


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """A server with its key, its database and its sockets."""
    folder = tmp_path_factory.mktemp("data")
    (folder / "secret_key").write_text(SECRET)
    (folder / "empty").touch()
    with closing(sqlite3.connect(folder / "database")) as database:
        database.execute("CREATE TABLE secrets AS SELECT ? AS secret", [SECRET])
        database.commit()
    with ExitStack() as stack:
        listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        path = str(folder / "socket")
        unix = stack.enter_context(socket.socket(socket.AF_UNIX))
        unix.bind(path)
        unix.listen()
        yield {
            "folder": str(folder),
            "key": str(folder / "secret_key"),
            "path": path,
            "database": str(folder / "database"),
            "project": str(PROJECT),
            "port": listener.getsockname()[1],
            "server": os.getpid(),
        }


def outcomes(names: dict[str, Any], attacks: dict[str, str], *, confined: bool) -> dict[str, str]:
    task = {"names": names, "attacks": attacks, "confined": confined}
    done = subprocess.run(
        [sys.executable, "-m", "tests.engine.hostile"],
        input=json.dumps(task),
        capture_output=True,
        text=True,
        check=True,
        cwd=PROJECT,
        timeout=60,
    )
    return dict(json.loads(done.stdout))


@pytest.fixture(scope="module")
def lacking() -> str:
    done = subprocess.run(
        [sys.executable, "-m", "engine.confine.kernel"],
        capture_output=True,
        text=True,
        check=True,
        cwd=PROJECT,
    )
    return "\n".join(line for line in done.stdout.splitlines() if not line.startswith("user: "))


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the attacks name system calls by their numbers")
def test_no_attack_succeeds_and_what_the_kernel_refuses_ends_the_process(
    names: dict[str, Any], lacking: str
) -> None:
    if lacking:
        pytest.skip(lacking)
    attacks = {name: text for name, (text, _) in READS.items()} | HARMS
    expected = {name: outcome for name, (_, outcome) in READS.items()} | dict.fromkeys(HARMS, ENDED)
    assert outcomes(names, attacks, confined=True) == expected


def test_the_same_attacks_succeed_without_confinement(names: dict[str, Any]) -> None:
    # A socket that nobody accepts says nothing, so the attack does not wait for it.
    attacks = {name: text.replace(".recv(6)", ".send(b'')") for name, (text, _) in READS.items()}
    found = outcomes(names, attacks, confined=False)
    assert {name: outcome for name, outcome in found.items() if not outcome.startswith("got ")} == {}
    assert SECRET in found["reads the key"]
    assert SECRET in found["reads the database"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root becomes another user")
def test_started_as_root_it_becomes_another_user_where_that_one_can_read_the_packages() -> None:
    """In a mount namespace in which the folders above the packages may be entered by everybody."""
    prefix = str(Path(sys.base_prefix))
    script = """
        if [ -d /root ] && [ "${0#/root/}" != "$0" ]; then
            kept=$(mktemp -d) && mount --bind "$0" "$kept"
            mount -t tmpfs -o mode=755 none /root
            mkdir -p "$0" && mount --bind "$kept" "$0"
        fi
        exec "$@"
    """
    program = "from engine.confine import kernel; from engine.confine.process import readable_folders;"
    program += (
        "import os; print(kernel.prepare(readable_folders()), os.getresuid(), os.getresgid(), os.getgroups())"
    )
    command = ["unshare", "--mount", "sh", "-c", script, prefix, sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=PROJECT)
    if "unshare" in done.stderr:
        pytest.skip(done.stderr)
    assert done.stdout.strip() == f"[] {(65534,) * 3} {(65534,) * 3} []", done.stderr


def test_who_runs_as_root_beside_packages_that_nobody_else_can_reach_is_told_how_to_mend_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = tmp_path / "home"
    (closed / "lib").mkdir(parents=True)
    closed.chmod(0o700)
    monkeypatch.setattr("engine.confine.kernel.readable_folders", lambda: (f"{closed}/lib/",))
    assert f" {closed}" in kernel.explain("user").partition("chmod o+x")[2]
    assert "chmod" not in kernel.explain("files")
