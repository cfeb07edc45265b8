"""The filter of system calls on arm64, without such a machine: read as the kernel would read it.

`unistd_arm64.txt` has the numbers that Linux publishes. On x86-64, `test_kernel_confinement.py` tries the
filter itself.
"""

import errno
import socket
import struct
from pathlib import Path

import pytest

from engine.confine import system_calls
from engine.confine.system_calls import _ALLOWED, _CONDITIONAL, _PROCESSORS, _REFUSED, _UNKNOWN

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
