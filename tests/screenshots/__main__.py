"""`python -m tests.screenshots`: pictures every screen on a temporary server.

What is to be seen comes about as it does for everyone: people play at the socket, simulated ones a rehearsal,
environments are uploaded, qualified and searched, a baseline is released. Only the gates to
External and Done are passed over, which ask for qualifications of many minutes.
"""

import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.chromium import launch_arguments
from tests.live.server import Server, make_template
from tests.screenshots import participant, results, review, sessions, studio, wall
from tests.screenshots.camera import PICTURES, Camera
from tests.screenshots.people import GAMES
from tests.screenshots.world import World, bring_to_life, worker


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
    sessions.take(camera, world)
    participant.take(camera, world)
    review.take(camera, world)
    results.take(camera, world)
    studio.take(camera, world)
    wall.take(camera, world)


if __name__ == "__main__":
    main()
