"""What a proctor and whoever plans a study see."""

from tests.screenshots.camera import Camera
from tests.screenshots.world import World


def take(camera: Camera, world: World) -> None:
    with camera.page() as page:
        camera.take(page, "sign-in", "/staff/sign-in/")
    with camera.staff() as page:
        camera.take(page, "sessions", "/staff/sessions/")
        camera.take(page, "session", f"/staff/sessions/{world.sessions[0]}/")
        camera.take(page, "studies", "/staff/studies/")
        camera.take(page, "study-settings", f"/staff/studies/{world.study}/edit/")
        person = page.get_by_role("heading", level=1)
        camera.open(page, f"/staff/sessions/{world.sessions[-1]}/")
        name = person.inner_text().split()[0]
        camera.take(page, "withdrawal", f"/staff/withdrawal/?participant={name}")
