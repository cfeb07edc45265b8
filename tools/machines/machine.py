"""A machine: systemd, a network of its own, and this machine's files below changes that go with it.

systemd-nspawn makes it. Machines are on one bridge with the program that made them, and reach nothing else.
"""

import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.live.seeder import ROOT
from tools.processes import descendants, text_of

BRIDGE, _NETWORK = "playtest0", "10.98.0"
PYTHON = "/opt/python"
_START_SECONDS = 60.0
_ENDS_WITH_THIS = (ROOT / "scripts" / "with-parent", "--kill")
_BOOT = """
set -e
mount --make-rprivate /
mount -t tmpfs tmpfs "$1"
mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"
folder=$1; shift
exec systemd-nspawn --directory="$folder/root" --boot "$@" -- --unit=basic.target
"""


class MachineError(Exception):
    """A command on a machine failed; the message is what it printed."""


class Machine:
    """`number` is from 2 on. `binds` are folders of this machine by the place where it has them, too."""

    def __init__(self, number: int, folder: Path, binds: Mapping[str, Path]) -> None:
        self.name, self.address = f"machine{number}", f"{_NETWORK}.{number}"
        self._folder = folder / self.name
        self._binds = binds
        self.start()

    def start(self) -> None:
        """Boot it and give it its address."""
        self._folder.mkdir(parents=True, exist_ok=True)
        options = [
            "--register=no", "--keep-unit", f"--machine={self.name}", f"--network-bridge={BRIDGE}",
            "--link-journal=no", "--console=pipe", "--resolv-conf=off", "--timezone=off",
            f"--bind-ro={sys.base_prefix}:{PYTHON}",
            *(f"--bind={here}:{place}" for place, here in self._binds.items()),
        ]  # fmt: skip
        with (self._folder.parent / f"{self.name}.log").open("ab") as log:
            self._nspawn = subprocess.Popen(
                [*_ENDS_WITH_THIS, "unshare", "--mount", "sh", "-c", _BOOT, "sh", self._folder, *options],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip
        self._first = self._first_process()
        for command in (f"ip address add {self.address}/24 dev host0", "ip link set host0 up"):
            self.run(*command.split())
        self.run("sh", "-c", f"echo {PYTHON}/lib > /etc/ld.so.conf.d/python.conf; ldconfig")

    def _first_process(self) -> int:
        """The process that is 1 there, once systemd answers."""
        deadline = time.monotonic() + _START_SECONDS
        while time.monotonic() < deadline:
            for pid in descendants(self._nspawn.pid):
                if _number_inside(pid) == 1 and self._answers(pid):
                    return pid
            assert self._nspawn.poll() is None, (self._folder.parent / f"{self.name}.log").read_text()[-2000:]
            time.sleep(0.1)
        raise MachineError(f"{self.name} did not boot")

    def _answers(self, pid: int) -> bool:
        state = subprocess.run(
            ["nsenter", "-t", str(pid), "-a", "systemctl", "is-system-running"],
            capture_output=True,
            text=True,
        )
        return state.stdout.strip() in ("running", "degraded")

    def command(self, *command: str) -> list[str]:
        """What runs this command there, as root."""
        return ["nsenter", "-t", str(self._first), "-a", "env", "-i", "-C", "/", "HOME=/root",
                "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", *command]  # fmt: skip

    def run(self, *command: str, given: str | None = None) -> str:
        """Runs a command there; what it printed. Raises MachineError if it failed."""
        done = subprocess.run(
            self.command(*command), input=given, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise MachineError(
                f"{self.name}: {shlex.join(command)}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
            )
        return done.stdout

    def shell(self, script: str) -> str:
        return self.run("bash", "-euo", "pipefail", "-c", script)

    def write(self, path: str, text: str) -> None:
        self.run("sh", "-c", 'mkdir -p "$(dirname "$1")"; cat > "$1"', "sh", path, given=text)

    def unplug(self) -> None:
        """Nothing reaches it any more, and nobody is told."""
        subprocess.run(["ip", "link", "set", f"vb-{self.name}", "down"], check=True)

    def plug_in(self) -> None:
        subprocess.run(["ip", "link", "set", f"vb-{self.name}", "up"], check=True)

    def kill(self) -> None:
        """All its processes end at once."""
        os.kill(self._first, signal.SIGKILL)
        self._nspawn.wait()


def _number_inside(pid: int) -> int | None:
    lines = text_of(pid, "status").splitlines()
    numbers = next((line.split()[1:] for line in lines if line.startswith("NSpid:")), [])
    return int(numbers[-1]) if len(numbers) > 1 else None


@contextmanager
def bridge() -> Iterator[None]:
    """The network that the machines share with this program, which has one of its own (`unshare --net`)."""
    for command in (
        "ip link set lo up",
        f"ip link add {BRIDGE} type bridge",
        f"ip address add {_NETWORK}.1/24 dev {BRIDGE}",
        f"ip link set {BRIDGE} up",
    ):
        subprocess.run(command.split(), check=True)
    try:
        yield
    finally:
        subprocess.run(["ip", "link", "delete", BRIDGE], check=True)
