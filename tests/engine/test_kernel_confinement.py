"""Foreign code reaches no file, no network, no process and no time of others."""

from __future__ import annotations

import errno
import json
import os
import platform
import signal
import socket
import sqlite3
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.confine import kernel, system_calls
from engine.confine.deadline import OwnUsage, Usage, charged, usage_of
from engine.confine.process import PROJECT
from engine.confine.system_calls import _ALLOWED, _CONDITIONAL, _PROCESSORS, _REFUSED, _UNKNOWN
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


ARM = _PROCESSORS["aarch64"]
OWN = 4321
ALLOW, KILL = 0x7FFF0000, 0x80000000
DENIED, ABSENT = 0x00050000 | errno.EACCES, 0x00050000 | errno.ENOSYS
PUBLISHED = {
    name: int(number)
    for number, name in (
        line.split()
        for line in (Path(__file__).parent / "unistd_arm64.txt").read_text().splitlines()
        if not line.startswith("#")
    )
}
TABLES = {ALLOW: _ALLOWED, DENIED: _REFUSED, ABSENT: _UNKNOWN}


def verdict(number: int, *arguments: int, architecture: int = ARM.architecture) -> int:
    """What the filter returns for a call: classic BPF over `struct seccomp_data`."""
    data = struct.pack("=IIQ6Q", number, architecture, 0, *arguments, *[0] * (6 - len(arguments)))
    code = list(struct.iter_unpack("=HBBI", system_calls._code(ARM, OWN)))
    assert len(code) < 4096, "the kernel takes no longer filter"
    loaded, place = 0, 0
    while True:
        kind, if_true, if_false, value = code[place]
        place += 1
        match kind:
            case 0x20:  # BPF_LD | BPF_W | BPF_ABS
                [loaded] = struct.unpack_from("=I", data, value)
            case 0x15:  # BPF_JMP | BPF_JEQ | BPF_K
                place += if_true if loaded == value else if_false
            case 0x35:  # BPF_JMP | BPF_JGE | BPF_K
                place += if_true if loaded >= value else if_false
            case 0x45:  # BPF_JMP | BPF_JSET | BPF_K
                place += if_true if loaded & value else if_false
            case 0x06:  # BPF_RET | BPF_K
                return int(value)
            case _:
                raise AssertionError(f"no instruction of a filter: {kind:#x}")


def test_every_number_is_the_one_that_linux_publishes() -> None:
    ours = {
        name: arm
        for table in (*TABLES.values(), _CONDITIONAL)
        for name, (_, arm) in table.items()
        if arm is not None
    }
    assert ours == {name: PUBLISHED[name] for name in ours}
    assert ARM.seccomp == PUBLISHED["seccomp"]


def test_a_call_without_a_number_does_not_exist_on_arm64() -> None:
    absent = {name for table in TABLES.values() for name, (_, arm) in table.items() if arm is None}
    assert not absent & PUBLISHED.keys()


def test_every_published_call_gets_its_verdict_and_what_no_table_names_ends_the_process() -> None:
    expected = {name: action for action, table in TABLES.items() for name in table}
    found = {name: verdict(number) for name, number in PUBLISHED.items() if name not in _CONDITIONAL}
    assert found == {name: expected.get(name, KILL) for name in found}
    for name in ("execve", "ptrace", "kill", "connect", "bind", "unlinkat", "setns", "bpf", "io_uring_setup"):
        assert found[name] == KILL
    assert verdict(max(PUBLISHED.values()) + 1) == ABSENT


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("fcntl", (3, 1), ALLOW),
        ("fcntl", (3, 8), DENIED),
        ("clone", (0x00010000,), DENIED),
        ("clone", (17,), KILL),
        ("socket", (int(socket.AF_UNIX),), DENIED),
        ("socket", (int(socket.AF_INET),), KILL),
        ("tgkill", (OWN, OWN, 6), ALLOW),
        ("tgkill", (OWN, OWN, 9), KILL),
        ("tgkill", (OWN, OWN, 19), KILL),
        ("tgkill", (OWN + 1,), KILL),
        ("prlimit64", (0, 7, 0), ALLOW),
        ("prlimit64", (0, 7, 1 << 40), DENIED),
        ("prlimit64", (OWN, 7, 0), KILL),
    ],
)
def test_what_depends_on_arguments_is_told_apart(
    name: str, arguments: tuple[int, ...], expected: int
) -> None:
    assert verdict(PUBLISHED[name], *arguments) == expected


def test_a_call_of_another_processor_ends_the_process() -> None:
    assert verdict(PUBLISHED["read"], architecture=_PROCESSORS["x86_64"].architecture) == KILL
    assert verdict(PUBLISHED["read"], architecture=0x40000028) == KILL, "a 32-bit program on arm64"


INTERVAL = 0.25
SECONDS = st.floats(0, 1000)


@given(computed=SECONDS, waited=SECONDS, slept=SECONDS)
def test_computing_counts_in_full_and_sleep_up_to_one_interval(
    computed: float, waited: float, slept: float
) -> None:
    before = Usage(100.0, 7.0, 3.0)
    after = Usage(100.0 + computed + waited + slept, 7.0 + computed, 3.0 + waited)
    assert charged(before, after, INTERVAL) == pytest.approx(computed + min(slept, INTERVAL), abs=1e-6)


@given(computed=SECONDS, clock=SECONDS)
def test_a_stopped_or_waiting_process_is_charged_only_for_computing(computed: float, clock: float) -> None:
    before = Usage(0.0, 0.0, 0.0)
    assert charged(before, Usage(clock, computed, 0.0, asleep=False), INTERVAL) == computed


@given(computed=SECONDS)
def test_clocks_that_disagree_never_reduce_the_charge(computed: float) -> None:
    assert charged(Usage(5.0, 0.0, 0.0), Usage(5.0, computed, 1.0), INTERVAL) == computed


@pytest.fixture
def sleeper() -> Iterator[subprocess.Popen[bytes]]:
    script = "import sys\nsum(range(10**6))\nprint(flush=True)\nsys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield process
        process.kill()


def test_usage_of_another_process_shows_sleep_and_stops(sleeper: subprocess.Popen[bytes]) -> None:
    while not (seen := usage_of(sleeper.pid)) or not seen.asleep:
        os.sched_yield()
    assert seen.computed > 0
    sleeper.send_signal(signal.SIGSTOP)
    while (seen := usage_of(sleeper.pid)) is None or seen.asleep:
        os.sched_yield()
    sleeper.kill()
    sleeper.wait()
    assert usage_of(sleeper.pid) is None


_CHARGED = """
import time
from engine.confine.deadline import Deadline
deadline = Deadline(60)
deadline.install()
def compute():
    print(flush=True)
    began = time.process_time()
    while time.process_time() - began < 0.4:
        pass
deadline.run({call}, 30)
print(deadline.charged)
"""


@pytest.mark.parametrize(("call", "least"), [("compute", 0.3), ("lambda: (compute(), time.sleep(0.6))", 0.8)])
def test_a_stop_from_outside_is_not_charged_and_sleep_is(call: str, least: float) -> None:
    command = [sys.executable, "-c", _CHARGED.replace("{call}", call)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGSTOP)
        os.waitpid(process.pid, os.WUNTRACED)
        time.sleep(1.5)
        process.send_signal(signal.SIGCONT)
        charged = float(process.stdout.readline())
    assert least < charged < least + 0.5


def test_own_usage_grows_with_computing() -> None:
    usage = OwnUsage()
    before = usage()
    sum(range(10**6))
    after = usage()
    assert after.computed > before.computed
    assert after.clock > before.clock
    assert after.waited >= before.waited
