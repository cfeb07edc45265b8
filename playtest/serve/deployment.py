"""Whether this data may be served: by no other server yet, and with settings fit for those who can connect.

`make up` and `playtest.serve` refuse to start with settings of development where others can connect;
`manage.py check --deploy` says the same as errors, and warns of what the kernel lacks
(`engine.confine.kernel`).
"""

import fcntl
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from ipaddress import ip_address
from pathlib import Path
from typing import IO, Any, NamedTuple

from django.conf import settings
from django.core import checks

from engine.confine.kernel import MISSING, explain
from engine.confine.process import PROJECT

_PROBE_SECONDS = 60.0
_SHORTEST_KEY = 50
_FEWEST_LETTERS = 5


class CannotServe(Exception):
    """The message says why, and what to do."""


def preparing() -> Path:
    """A file that is locked while `make up` prepares what the first page needs: the server waits for it."""
    path: Path = settings.DATA_DIR / "preparing.lock"
    return path


@contextmanager
def serving_lock(name: str = "serve.lock") -> Iterator[None]:
    """Locks DATA_DIR, unless Redis lets several servers share it. Raises CannotServe data_in_use.

    Locks last until the process ends, however it ends: a crash leaves none behind.
    """
    if settings.REDIS_URL:
        yield
        return

    def refuse(where: str) -> None:
        raise CannotServe(
            f"{settings.DATA_DIR} is already being served at {where}. (data_in_use)\n"
            "Stop that server first, or serve other data: make up DATA_DIR=/somewhere/else PORT=8001"
        )

    with file_lock(settings.DATA_DIR / name, refuse) as file:
        file.write(f"http://{settings.HOST}:{settings.PORT}/")
        file.flush()
        yield


@contextmanager
def file_lock(path: Path, on_busy: Callable[[str], None]) -> Iterator[IO[str]]:
    """Locks a file and opens it for a message from its holder.

    If another process holds it, `on_busy` gets that one's message; unless it raises, this process waits.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            on_busy(file.read())
            fcntl.flock(file, fcntl.LOCK_EX)
        file.truncate(0)
        yield file


class Problem(NamedTuple):
    code: str
    message: str


def refuse_development() -> None:
    """Raises CannotServe with every problem if others than this machine may connect."""
    if problems := list(development()):
        told = "".join(f"- {problem.message} ({problem.code})\n" for problem in problems)
        raise CannotServe(
            "Others than this machine could connect, so these settings of development are refused:\n"
            f"{told}docs/configuration.md has the settings of a deployment. "
            "HOST and ALLOWED_HOSTS decide who may connect."
        )


def development() -> Iterator[Problem]:
    """What is only fit for this machine alone; nothing if only it can connect."""
    if not public():
        return
    if settings.DEBUG:
        yield Problem("debug_in_public", "DEBUG=1 shows settings and source to everybody. Leave it out.")
    if settings.SECRET_KEY_IS_GENERATED or _weak(settings.SECRET_KEY):
        yield Problem(
            "secret_key_not_set",
            f"SECRET_KEY has to be set, random, and at least {_SHORTEST_KEY} letters long: the one in "
            "DATA_DIR lies beside the data and its backups. Make one: "
            "python3 -c 'import secrets; print(secrets.token_urlsafe(50))'",
        )
    if all(map(_is_loopback, settings.ALLOWED_HOSTS)):
        yield Problem("hosts_not_set", "ALLOWED_HOSTS has to name the addresses under which others connect.")
    if "*" in settings.ALLOWED_HOSTS:
        yield Problem("hosts_unlimited", 'ALLOWED_HOSTS has to name addresses, and not "*".')
    if not settings.HTTPS and not settings.PLAIN_HTTP:
        yield Problem(
            "https_missing",
            "HTTPS=1 is missing: passwords and codes would be readable on the way. Put a proxy with TLS in "
            "front, or set PLAIN_HTTP=1 if the network is closed and its people are trusted.",
        )


def public() -> bool:
    """Whether others than this machine may connect: directly, or by a proxy under another name."""
    return not only_this_machine([settings.HOST, *settings.ALLOWED_HOSTS])


def only_this_machine(hosts: Iterable[str]) -> bool:
    """Whether all these names are of the loopback interface."""
    return all(map(_is_loopback, hosts))


def disk_is_full() -> bool:
    """Whether less is free in DATA_DIR than DISK_FREE_MEGABYTES."""
    return shutil.disk_usage(settings.DATA_DIR).free / (1024 * 1024) < settings.DISK_FREE_MEGABYTES


def from_this_machine(peer: str) -> bool:
    """Whether a request of this address comes from this machine, to a server that nobody else can reach."""
    return only_this_machine([peer]) and not public()


def _is_loopback(host: str) -> bool:
    host = host.strip("[]")
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _weak(key: str) -> bool:
    return len(key) < _SHORTEST_KEY or len(set(key)) < _FEWEST_LETTERS


@checks.register(deploy=True)
def check_settings(**_given: Any) -> list[checks.CheckMessage]:
    return [checks.Error(problem.message, id=f"playtest.{problem.code}") for problem in development()]


@checks.register(deploy=True)
def check_kernel(**_given: Any) -> list[checks.CheckMessage]:
    """Asks a process that confines itself; this one has to stay as it is."""
    command = [sys.executable, "-m", "engine.confine.kernel"]
    done = subprocess.run(
        command, cwd=PROJECT, capture_output=True, text=True, check=False, timeout=_PROBE_SECONDS
    )
    if done.returncode:
        return [_warning(f"Environments cannot be confined: {done.stderr[-300:]}")]
    missing = [name for line in done.stdout.splitlines() if (name := line.partition(":")[0]) in MISSING]
    return [
        _warning(f"Environments are confined less than they should be: {explain(name)}.") for name in missing
    ]


def _warning(message: str) -> checks.CheckMessage:
    return checks.Warning(message, id="playtest.kernel")
