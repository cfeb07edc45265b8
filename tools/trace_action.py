"""Lists every file of ours whose code runs in one warm action: `python -m tools.trace_action [--rest]`.

A real server with one engine host plays it, a person's action from a browser, or with `--rest` an agent's.
Its processes note the files of functions that run while a flag is set; the browser counts calls itself. Three
actions are watched, and what ran in each of them is printed: timers and heartbeats drop out.
"""

import mmap
import os
import runpy
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from types import CodeType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
WATCHED, WARM = 3, 4
SECONDS_AN_ACTION = 0.4
_SLOTS, _SLOT_BYTES = 64, 32 * 1024
_FORK_SERVER = "--fork-server"


class Notes:
    """Memory that all processes share: byte 0 is the flag, and each process has a slot for names."""

    def __init__(self, path: Path) -> None:
        if not path.exists():
            path.write_bytes(bytes(_SLOTS * _SLOT_BYTES))
        with path.open("r+b") as file:
            self._memory = mmap.mmap(file.fileno(), 0)
        self._slot, self._forks, self._end = 0, 0, 1
        self._seen: set[str] = set()

    def listen(self, slot: int) -> None:
        """Notes what runs in this process, and in those that it forks."""
        self._take(slot)
        os.register_at_fork(before=self._count, after_in_child=lambda: self._take(slot + self._forks))
        monitoring = sys.monitoring
        monitoring.use_tool_id(monitoring.COVERAGE_ID, "trace_action")
        events = (monitoring.events.PY_START, monitoring.events.PY_RESUME, monitoring.events.PY_RETURN)
        for event in events:
            monitoring.register_callback(monitoring.COVERAGE_ID, event, self._note)
        monitoring.set_events(monitoring.COVERAGE_ID, sum(events))

    def watch(self, act: Callable[[], object]) -> set[str]:
        """The files whose code runs while `act` does, and a little longer."""
        for slot in range(_SLOTS):
            start = slot * _SLOT_BYTES + 1
            self._memory[start : start + 4] = bytes(4)
        self._memory[0] = 1
        act()
        time.sleep(SECONDS_AN_ACTION)
        self._memory[0] = 0
        found = set()
        for slot in range(_SLOTS):
            written = self._memory[slot * _SLOT_BYTES + 1 : (slot + 1) * _SLOT_BYTES].split(b"\0", 1)[0]
            found |= set(written.decode().split())
        return found

    def _take(self, slot: int) -> None:
        self._slot, self._seen = slot, set()

    def _count(self) -> None:
        self._forks += 1

    def _note(self, code: CodeType, *_: Any) -> None:
        memory, start = self._memory, self._slot * _SLOT_BYTES + 1
        if not memory[0]:
            return
        if not memory[start]:
            self._seen.clear()
            self._end = start
        name = code.co_filename
        if name in self._seen:
            return
        self._seen.add(name)
        if name.startswith(f"{ROOT}/") and name.endswith(".py") and "/.venv/" not in name:
            line = name.removeprefix(f"{ROOT}/").encode() + b"\n"
            memory[self._end : self._end + len(line) + 1] = line + b"\0"
            self._end += len(line)


def main() -> None:
    """Plays, and prints the list and the count."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        notes = Notes(folder / "notes")
        found = _rest(folder, notes) if "--rest" in sys.argv else _person(folder, notes)
    ran = sorted(set.intersection(*found) - {"tools/trace_action.py"})
    print("\n".join(ran))
    sides = {side: sum(file.startswith(side) for file in ran) for side in ("static/", "playtest/", "engine/")}
    print(f"{len(ran)} files: " + ", ".join(f"{count} of {side[:-1]}" for side, count in sides.items()))


@contextmanager
def _server(folder: Path, **settings: str) -> Any:
    """A server that notes what runs, with its port."""
    from tests.databases import make_template
    from tests.live.server import Server

    server = Server(folder / "server", make_template(folder), None, **settings)
    try:
        yield server, server.start("tools.trace_action", TRACE_NOTES=str(folder / "notes"))
    finally:
        server.stop()


def _person(folder: Path, notes: Notes) -> list[set[str]]:
    from playwright.sync_api import sync_playwright

    from tests.chromium import launch_arguments

    with _server(folder) as (server, port), sync_playwright() as playwright:
        seeded = server.seed(played=True) and server.seed(people=1, pool=["wk01"], stage="playing", study={})
        browser = playwright.chromium.launch(**launch_arguments())
        page = browser.new_page()
        address = f"http://127.0.0.1:{port}/"
        page.context.add_cookies([{"name": "seat", "value": seeded["people"][0]["seat"], "url": address}])
        page.goto(address)
        page.wait_for_selector("main[data-stage=playing][data-connection=live]")
        tools = page.context.new_cdp_session(page)
        tools.send("Profiler.enable")
        tools.send("Profiler.startPreciseCoverage", {"callCount": True, "detailed": False})
        keys = ["ArrowRight", "ArrowLeft"] * (WARM + WATCHED)

        def act() -> None:
            page.keyboard.press(keys.pop())
            page.wait_for_timeout(1000 * SECONDS_AN_ACTION)

        for _ in range(WARM):
            act()
        found = []
        for _ in range(WATCHED):
            tools.send("Profiler.takePreciseCoverage")
            ran = notes.watch(act)
            found.append(ran | _modules(tools.send("Profiler.takePreciseCoverage")["result"]))
        browser.close()
    return found


def _modules(coverage: list[dict[str, Any]]) -> set[str]:
    """The modules of ours of which a function was called."""
    return {
        "static/" + script["url"].partition("/static/")[2].partition("?")[0]
        for script in coverage
        if "/static/" in script["url"] and "/vendor/" not in script["url"]
        if any(part["count"] for function in script["functions"] for part in function["ranges"])
    }


def _rest(folder: Path, notes: Notes) -> list[set[str]]:
    from tests.live.arena import Agent, make_games, new_key

    games = make_games(folder / "games", ["wk01"])
    with _server(folder, GAMES_DIR=str(games)) as (server, port):
        server.seed(sets={"wk01": "public"}, games=str(games))
        agent = Agent(port, new_key(server, "public"))
        begun = agent.reset(agent.open(), "wk01-00000001").json()
        actions = [4, 3] * (WARM + WATCHED)

        def act() -> None:
            assert agent.act(actions.pop(), begun["game_id"], begun["guid"]).ok

        for _ in range(WARM):
            act()
        return [notes.watch(act) for _ in range(WATCHED)]


def _serve(notes: Path) -> None:
    """Serves as `playtest.serve` does, with a process that forks hosts which notes, too."""
    from engine.confine import process

    command = process.ProcessLimits.command

    def noting(self: process.ProcessLimits, module: str) -> list[str]:
        program, _, module, *options = command(self, module)
        if not module.endswith("fork_server"):
            return [program, "-m", module, *options]
        return [program, "-m", "tools.trace_action", _FORK_SERVER, str(notes), module, *options]

    process.ProcessLimits.command = noting  # type: ignore[method-assign]
    Notes(notes).listen(0)
    sys.argv = ["playtest.serve"]
    runpy.run_module("playtest.serve", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    if _FORK_SERVER in sys.argv:
        _, _, path, program, *rest = sys.argv
        sys.argv = [program, *rest]
        Notes(Path(path)).listen(1)
        runpy.run_module(program, run_name="__main__", alter_sys=True)
    elif "TRACE_NOTES" in os.environ:
        _serve(Path(os.environ["TRACE_NOTES"]))
    else:
        main()
