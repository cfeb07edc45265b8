"""Pictures of the wall while simulated people play at 34 stations."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Page

from tests.live.server import ROOT
from tools.screenshots.camera import WALL, Camera
from tools.screenshots.world import World

STATIONS = 34
SPEED = 5
"""Slow enough that nobody seems to be too fast."""
PLAYING = 26
"""So many are on a board before the picture: some come late, and one in twelve does not come."""
PATIENCE_MS = 300_000
PLAYED_MS = 60_000
CALL = (
    "from playtest.play.sessions.calls import call_proctor; from playtest.play.models import Session; "
    "call_proctor(Session.objects.get(pk={session}))"
)


def take(camera: Camera, world: World) -> None:
    """Take the wall and one station large: one person calls, and one is paused."""
    with day_in_rehearsal(world), camera.staff(WALL) as page:
        page.goto(f"{camera.root}/staff/wall/")
        page.wait_for_function(
            "(count) => document.querySelectorAll('wall-tile[data-stage=playing]').length >= count",
            arg=PLAYING,
            timeout=PATIENCE_MS,
        )
        rooms = page.get_by_label("Room", exact=True)
        if rooms.is_visible():
            rooms.select_option("Rehearsal")
        page.wait_for_timeout(PLAYED_MS)
        calling, paused, *others = connected(page)
        world.server.manage("shell", "-c", CALL.format(session=calling))
        world.server.seed(control="pause", session=paused, reason="asked for a break")
        page.locator("wall-tile[data-stage=paused]").wait_for()
        page.locator(f'wall-tile[data-key="session-{calling}"][data-urgency=now]').wait_for()
        camera.take(page, "wall")
        page.locator(f'wall-tile[data-key="session-{others[0]}"]').click()
        page.get_by_role("button", name="Pause session").wait_for()
        camera.take(page, "wall-large")


@contextmanager
def day_in_rehearsal(world: World) -> Iterator[None]:
    """Simulated people come and play; the day is broken off afterwards."""
    command = ["manage.py", "simulate", "--day", "--stations", str(STATIONS), "--speed", str(SPEED)]
    command += ["--url", f"http://127.0.0.1:{world.port}"]
    with (world.server.folder / "day.log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, *command], cwd=ROOT, env=world.server.environment, stdout=log, stderr=log
        )
    try:
        yield
    finally:
        process.terminate()
        process.wait()


def connected(page: Page) -> list[int]:
    """The sessions of people who play and are connected, in the order of the wall."""
    tiles = page.locator("wall-tile[data-stage=playing][data-link=connected]")
    keys = tiles.evaluate_all("(tiles) => tiles.map((tile) => tile.dataset.key)")
    return [int(key.removeprefix("session-")) for key in keys]
