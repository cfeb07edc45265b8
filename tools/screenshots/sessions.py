"""Pictures of sessions and studies, as proctors and researchers see them."""

from playwright.sync_api import Page

from tools.games import GAMES
from tools.screenshots.camera import Camera
from tools.screenshots.world import World

REGISTRATION = (
    "from playtest.center.models import Station; "
    "from playtest.center.stations.services import new_registration_code; "
    "print(new_registration_code(Station.objects.get(number=1)))"
)


def take(camera: Camera, world: World) -> None:
    with camera.page() as page:
        camera.take(page, "sign-in", "/staff/sign-in/")
    with camera.staff() as page:
        camera.take(page, "sessions", "/staff/sessions/")
        camera.take(page, "session", f"/staff/sessions/{world.sessions[0]}/")
        camera.take(page, "studies", "/staff/studies/")
        camera.take(page, "study-settings", f"/staff/studies/{world.study}/edit/")
        camera.take(page, "survey-editor", f"/staff/studies/{world.study}/survey/")
        camera.take(page, "protocol", f"/staff/studies/{world.study}/protocol/")
        invite(camera, page, world)
        camera.take(page, "handbook", "/staff/handbook/")
        camera.take(page, "roles", "/staff/roles/")
        person = page.get_by_role("heading", level=1)
        camera.open(page, f"/staff/sessions/{world.sessions[-1]}/")
        name = person.inner_text().split()[0]
        camera.take(page, "withdrawal", f"/staff/withdrawal/?participant={name}")
    take_an_idle_station(camera, world)


def take_an_idle_station(camera: Camera, world: World) -> None:
    """Take a seat's page while nobody sits there."""
    world.server.seed(room="North room", first=1, count=1)
    code = world.server.manage("shell", "-c", REGISTRATION).split()[-1]
    with camera.page() as seat:
        camera.open(seat, "/station/")
        seat.get_by_label("registration code").fill(code)
        seat.keyboard.press("Enter")
        seat.get_by_text("Ready").wait_for()
        camera.take(seat, "station")


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
