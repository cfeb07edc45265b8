"""`python -m tools.screenshots [PART...]`: pictures every screen, or some parts, on a temporary server.

What is to be seen comes about as it does for everyone: people play at the socket, simulated ones a rehearsal,
environments are uploaded, qualified and searched, a baseline is released. Only the gates to
External and Done are passed over, which ask for qualifications of many minutes.
"""

import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from tests.chromium import launch_arguments
from tests.databases import make_template
from tests.live.server import Server
from tools.games import GAMES
from tools.screenshots import arena, film, participant, results, review, sessions, studio, tasks, wall
from tools.screenshots.camera import PICTURES, Camera
from tools.screenshots.world import World, bring_to_life, worker

PARTS: dict[str, Any] = {
    "sessions": sessions,
    "participant": participant,
    "review": review,
    "results": results,
    "studio": studio,
    "arena": arena,
    "tasks": tasks,
    "wall": wall,
    "film": film,
}


def main() -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        server = Server(folder / "server", make_template(folder), GAMES_DIR=str(GAMES), ENGINE_HOSTS="2")
        try:
            world = bring_to_life(server, folder)
            with worker(server), sync_playwright() as playwright:
                browser = playwright.chromium.launch(**launch_arguments())
                take_all(Camera(browser, world.port), world)
                browser.close()
        finally:
            server.stop()


def take_all(camera: Camera, world: World) -> None:
    """Take all pictures; those that change the content of others come last."""
    for name in sys.argv[1:] or PARTS:
        PARTS[name].take(camera, world)


if __name__ == "__main__":
    main()
