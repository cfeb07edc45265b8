"""Arguments for Debian's Chromium: headless and without connections of its own."""

import os
import shutil
from typing import Any

PROGRAM = "chromium-headless-shell"


def launch_arguments(*switches: str) -> dict[str, Any]:
    """Arguments for Playwright's `launch`; root runs without a sandbox."""
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
