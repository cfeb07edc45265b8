"""Measures how soon each staff page of the demonstration can be used, in Chromium.

`PAGES_DATA=data` measures a copy of an installation instead of a new one, `RUNS` opens each page so often
(7), `PAGES=insight` leaves out pages whose name does not begin so.

A page is interactive once its answer is complete, DOMContentLoaded has fired, every custom element is
defined, and a key that is pressed then has been answered. Pages are opened one after another, in turns, after
each was opened once: style sheets and modules come from the browser's cache, as they do after sign-in.
"""

import os
import sqlite3
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import django
from playwright.sync_api import Page, sync_playwright

from tests.chromium import launch_arguments
from tests.databases import make_template
from tests.live.server import ROOT, Server
from tools.bench.pages_found import Crawl

GOAL_MS = 200
NOTES_KEYS = """addEventListener("keydown", (event) => {
    window.keyDelay = performance.now() - event.timeStamp;
}, { capture: true });"""
MEASURED = """async () => {
    const elements = [...document.querySelectorAll("*")].filter((one) => one.localName.includes("-"));
    const names = new Set(elements.map((one) => one.localName));
    await Promise.all([...names].map((name) => customElements.whenDefined(name)));
    const [page] = performance.getEntriesByType("navigation");
    return {
        server: page.responseStart - page.requestStart,
        transfer: page.responseEnd - page.responseStart,
        script: page.domContentLoadedEventEnd - page.responseEnd,
        loaded: page.domContentLoadedEventEnd,
        bytes: page.transferSize,
        key: window.keyDelay,
    };
}"""


@dataclass(frozen=True)
class Opened:
    """One opening, in milliseconds: `busy` is the server's processor time up to the answer to the key."""

    server: float
    transfer: float
    script: float
    interactive: float
    busy: float
    size: int


def main() -> None:
    runs = int(os.environ.get("RUNS", "7"))
    _set_up_django()  # only to know the page of an address; the servers are processes of their own
    with tempfile.TemporaryDirectory() as folder:
        server = _installation(Path(folder))
        cookie = server.run("-m", "tools.bench.pages").strip()
        port = server.start()
        try:
            opened = _open_all(port, server.processes[port].pid, cookie, runs)
        finally:
            server.stop()
    _print(opened, runs)


def _installation(folder: Path) -> Server:
    """A new installation with its demonstration, or a copy of another one's database."""
    data, games = os.environ.get("PAGES_DATA"), str(ROOT / "games")
    if data is None:
        server = Server(folder / "server", make_template(folder), GAMES_DIR=games)
        server.manage("prepare")
        return server
    with (
        closing(sqlite3.connect(Path(data) / "playtest.sqlite3")) as original,
        closing(sqlite3.connect(folder / "copy.sqlite3")) as copied,
    ):
        original.backup(copied)
    server = Server(folder / "server", folder / "copy.sqlite3", GAMES_DIR=games)
    server.manage("build_assets")
    return server


def _open_all(port: int, process: int, cookie: str, runs: int) -> dict[str, list[Opened]]:
    """Opens every page once, and then `runs` times, in turns."""
    root, wanted = f"http://127.0.0.1:{port}", os.environ.get("PAGES", "")
    addresses = Crawl(root, f"sessionid={cookie}").run()
    opened: dict[str, list[Opened]] = {name: [] for name in addresses if name.startswith(wanted)}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_arguments())
        context = browser.new_context(viewport={"width": 1280, "height": 800})
        context.add_cookies([{"name": "sessionid", "value": cookie, "url": root}])
        page = context.new_page()
        page.add_init_script(NOTES_KEYS)
        for turn in range(runs + 1):
            for name, found in opened.items():
                one = _open(page, root + addresses[name], process)
                if turn:
                    found.append(one)
        browser.close()
    return opened


def _open(page: Page, address: str, process: int) -> Opened:
    busy = _busy(process)
    page.goto(address, wait_until="domcontentloaded")
    page.keyboard.press("Shift")
    found: dict[str, Any] = page.evaluate(MEASURED)
    used = Opened(
        server=found["server"],
        transfer=found["transfer"],
        script=found["script"],
        interactive=found["loaded"] + found["key"],
        busy=_busy(process) - busy,
        size=found["bytes"],
    )
    page.wait_for_load_state("networkidle")
    return used


def _busy(process: int) -> float:
    """Milliseconds that a process has computed so far, by its clock in the kernel: ended threads count."""
    return 1000 * time.clock_gettime(~process << 3 | 2)


def _print(opened: dict[str, list[Opened]], runs: int) -> None:
    print(f"{len(opened)} pages, {runs} times each; medians in ms. Busy: the server's processor time.\n")
    print("| page | interactive | worst | server | busy | transfer | script | KB |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    by_time = sorted(opened.items(), key=lambda pair: -median(one.interactive for one in pair[1]))
    for name, each in by_time:
        clock = median(one.interactive for one in each)
        worst = max(one.interactive for one in each)
        parts = (
            f"{median(getattr(one, part) for one in each):.0f}"
            for part in ("server", "busy", "transfer", "script")
        )
        over = "**" if clock > GOAL_MS else ""
        size = median(one.size for one in each) / 1000
        print(f"| `{name}` | {over}{clock:.0f}{over} | {worst:.0f} | {' | '.join(parts)} | {size:.1f} |")
    medians = [median(one.interactive for one in each) for each in opened.values()]
    slow = sum(one > GOAL_MS for one in medians)
    print(f"\nMedian of all {len(medians)} pages: {median(medians):.0f} ms. Over {GOAL_MS} ms: {slow}.")


def print_cookie() -> None:
    """Signs the lead in, in a process with Django, and prints the session's key."""
    from playtest.people.roles import Role
    from tests.staff import signed_in

    print(signed_in(Role.LEAD).cookies["sessionid"].value)


def _set_up_django() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "playtest.settings")
    django.setup()


if __name__ == "__main__":
    _set_up_django()
    print_cookie()
