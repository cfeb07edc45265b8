"""`make machines`: tries docs/deploy.md on machines of its own while people play.

Needs root and what is in `_PROGRAMS`.
"""

import argparse
import asyncio
import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path

from tools.machines.installation import Installation
from tools.machines.machine import bridge
from tools.machines.trials import TRIALS, say

_PROGRAMS = {
    "systemd-nspawn": "systemd-container",
    "ip": "iproute2",
    "nginx": "nginx-light",
    "pg_createcluster": "postgresql",
    "redis-server": "redis-server",
    "prometheus": "prometheus",
    "promtool": "prometheus",
    "curl": "curl",
}
"""What the machines run, by Debian's package."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="make machines ARGS=...", description=__doc__)
    parser.add_argument("only", nargs="*", choices=[*TRIALS, []], help="trials; all without a name")
    parser.add_argument("--people", type=int, default=34)
    options = parser.parse_args()
    if missing := [name for name in _PROGRAMS if shutil.which(name) is None]:
        packages = " ".join(sorted({_PROGRAMS[name] for name in missing}))
        parser.error(f"these programs are missing: {', '.join(missing)}. Debian: apt-get install {packages}")
    if os.geteuid() != 0:
        parser.error("only root can make machines")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the machines are ended, too
    with tempfile.TemporaryDirectory(prefix="playtest-machines-") as folder, bridge():
        for name in options.only or TRIALS:
            say("## ", name)
            (place := Path(folder) / name).mkdir()
            installation = Installation(place)
            try:
                asyncio.run(TRIALS[name](installation, options.people))
            finally:
                installation.stop()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
