"""Chromium as a station runs it: the command of `manage.py kiosk`, headless, driven over its own protocol."""

import contextlib
import os
import re
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import requests
from playwright.sync_api import Browser, Page, Playwright

from playtest.center.stations.kiosk import PROFILE, chromium_command
from tests.chromium import PROGRAM
from tests.live.seeder import PATIENCE_SECONDS


def wait_until(is_true: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not is_true():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def is_loaded(targets: list[dict[str, str]]) -> bool:
    return any(one["title"] not in one["url"] for one in targets)


class KioskBrowser:
    """One machine: its profile stays when the browser is closed, or killed, and started again."""

    def __init__(self, playwright: Playwright, profile: Path, url: str) -> None:
        self._playwright = playwright
        self._profile = profile
        self._url = url

    def start(self) -> Page:
        """Starts the browser at its address; the page it shows."""
        program, *arguments = chromium_command(self._url)
        assert program == "chromium"
        replaced = [argument.replace(PROFILE, str(self._profile)) for argument in arguments]
        # Only what a machine without a screen needs, and a port to drive it.
        more = ["--headless", "--remote-debugging-port=0", "--disable-gpu"]
        sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
        ports = self._profile / "DevToolsActivePort"
        ports.unlink(missing_ok=True)
        self._process = subprocess.Popen(
            [PROGRAM, *more, *sandbox, *replaced],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # the program may be a script that starts the browser
        )
        wait_until(lambda: ports.exists() and re.match(r"\d+\n", ports.read_text()))
        driven = f"http://127.0.0.1:{ports.read_text().splitlines()[0]}"
        # Playwright waits for ever for a page that it finds before its first navigation is committed: until
        # then the browser names it by its address.
        wait_until(lambda: is_loaded(requests.get(f"{driven}/json").json()))
        self._browser: Browser = self._playwright.chromium.connect_over_cdp(driven)
        (page,) = self._browser.contexts[0].pages
        return page

    def close(self) -> None:
        """As when somebody shuts the machine down."""
        self._browser.new_browser_cdp_session().send("Browser.close")
        self._process.wait(PATIENCE_SECONDS)

    def kill(self) -> None:
        """As when somebody pulls the plug."""
        with contextlib.suppress(ProcessLookupError):  # it was closed
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(PATIENCE_SECONDS)
