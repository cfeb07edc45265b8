"""Debian's Chromium as tests and pictures use it: without a window, and making no connection of its own."""

import os
import shutil
from typing import Any

PROGRAM = "chromium-headless-shell"


def launch_arguments(*switches: str) -> dict[str, Any]:
    """What Playwright's `launch` needs to know; as root there is no sandbox."""
    return {
        "executable_path": shutil.which(PROGRAM),
        "chromium_sandbox": os.geteuid() != 0,
        "args": [
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-gpu",
            "--disable-quic",
            "--disable-sync",
            "--no-first-run",
            *switches,
        ],
    }
