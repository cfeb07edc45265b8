"""Pictures of sessions and studies, as proctors and researchers see them."""

from playwright.sync_api import Page

from tests.screenshots.camera import Camera
from tests.screenshots.people import GAMES
from tests.screenshots.world import World


def take(camera: Camera, world: World) -> None:
    with camera.page() as page:
        camera.take(page, "sign-in", "/staff/sign-in/")
    with camera.staff() as page:
        camera.take(page, "sessions", "/staff/sessions/")
        camera.take(page, "session", f"/staff/sessions/{world.sessions[0]}/")
        camera.take(page, "studies", "/staff/studies/")
        camera.take(page, "study-settings", f"/staff/studies/{world.study}/edit/")
        camera.take(page, "protocol", f"/staff/studies/{world.study}/protocol/")
        invite(camera, page, world)
        camera.take(page, "station", "/staff/stations/")
        person = page.get_by_role("heading", level=1)
        camera.open(page, f"/staff/sessions/{world.sessions[-1]}/")
        name = person.inner_text().split()[0]
        camera.take(page, "withdrawal", f"/staff/withdrawal/?participant={name}")


def invite(camera: Camera, page: Page, world: World) -> None:
    """Create a session in a study that needs people, and return its code."""
    study = {"name": "Summer sessions", "people": 10}
    world.server.seed(games=str(GAMES), people=0, study=study)
    camera.open(page, "/staff/sessions/new/")
    page.get_by_label("Study").select_option(label="Summer sessions")
    camera.take(page, "session-new")
    page.get_by_role("button", name="Create").click()
    page.get_by_role("heading", name="Check-in code").wait_for()
    camera.take(page, "code")
