"""What browsers, agents and others are answered by the proxy."""

import re
import subprocess
from pathlib import Path

from tools.machines.installation import NAME, Installation
from tools.machines.machine import Machine

_LARGE_BYTES = 1_500_000


def check(installation: Installation, machine: Machine) -> list[str]:
    """A line for each answer that is not what it should be."""
    body = installation.folder / "large"
    body.write_bytes(bytes(_LARGE_BYTES))
    ask = _Asker(machine.address, installation.folder / "certificates" / "fullchain.pem")
    page = ask("/", "--include")
    asset = next(iter(re.findall(r'"(/static/[^"]+)"', page)), "/no asset on the page")
    forged = ("--header", "X-Forwarded-For: 127.0.0.1", "--header", "X-Forwarded-Proto: http")
    upgrade = (
        "--http1.1", "--header", "Connection: Upgrade", "--header", "Upgrade: websocket",
        "--header", "Sec-WebSocket-Version: 13", "--header", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    )  # fmt: skip
    own, gzip = ("--header", f"Origin: https://{NAME}"), ("--header", "Accept-Encoding: gzip")
    found = {
        "a page": (ask.status("/"), 200),
        "a page, with forged headers": (ask.status("/", *forged), 200),
        "a page without TLS": (ask.status("/", scheme="http"), 301),
        "a file": (ask.status(asset), 200),
        "a file for ever": ("immutable" in ask(asset, "--head"), True),
        "a compressed page": ("content-encoding: gzip" in ask("/", "--include", *gzip).lower(), True),
        "cookies for TLS alone": ("; secure" in ask("/staff/sign-in/", "--head").lower(), True),
        "/healthz": (ask.status("/healthz"), 200),
        "/readyz for others": (ask.status("/readyz"), 403),
        "/metrics for others": (ask.status("/metrics"), 404),
        "the API without a key": (ask.status("/api/games"), 401),
        "too large a form": (ask.status("/", "--data-binary", f"@{body}"), 413),
        "a socket of another origin": (
            ask.status("/ws/session/", *upgrade, "--header", "Origin: https://evil.example.org"), 403
        ),
        "a socket of this origin": (
            ask.status("/ws/session/", *upgrade, *own, "--max-time", "3"), 101
        ),
        "another name": (ask.status("/", "--header", "Host: evil.example.org"), 400),
    }  # fmt: skip
    wrong = [f"{name}: {got}, not {wanted}" for name, (got, wanted) in found.items() if got != wanted]
    return [f"{len(found)} answers of the proxy, {len(wrong)} wrong", *wrong]


class _Asker:
    """Asks the proxy at this address by its name."""

    def __init__(self, address: str, certificate: Path) -> None:
        self._base = ["curl", "--silent", "--noproxy", "*", "--cacert", str(certificate)]
        for port in (80, 443):
            self._base += ["--resolve", f"{NAME}:{port}:{address}"]

    def __call__(self, path: str, *options: str, scheme: str = "https") -> str:
        command = [*self._base, *options, f"{scheme}://{NAME}{path}"]
        return subprocess.run(command, capture_output=True, check=False).stdout.decode(errors="replace")

    def status(self, path: str, *options: str, scheme: str = "https") -> int:
        said = self(path, *options, "--output", "/dev/null", "--write-out", "%{http_code}", scheme=scheme)
        return int(said or 0)
