"""Pictures of results: portfolio, environment, level, ends, action patterns, versions, baseline and study."""

from playwright.sync_api import Page

from tools.screenshots.camera import PHONE, Camera
from tools.screenshots.world import World

CODE = "ke52"


def take(camera: Camera, world: World) -> None:
    """Take the pages of results, of the rehearsal and of real people."""
    here, rehearsal = f"/staff/environments/{CODE}/", f"?study={world.rehearsal}"
    with camera.staff() as page:
        camera.show(page, f"/staff/environments/{rehearsal}", "environments")
        camera.show(page, here + rehearsal, "environment")
        camera.show(page, f"{here}levels/3/{rehearsal}", "level")
        camera.show(page, f"{here}levels/3/ends/{rehearsal}", "level-ends")
        camera.show(page, f"{here}levels/3/tried/{rehearsal}", "level-tried")
        camera.show(page, f"{here}levels/3/states/{rehearsal}", "states")
        camera.show(page, f"{here}versions/", "versions")
        camera.show(page, f"{here}split/{rehearsal}&by=protocol", "split")
        camera.show(page, f"{here}baseline/", "baseline")
        release(page)
        camera.take(page, "release")
        camera.show(page, f"/staff/studies/{world.rehearsal}/", "study")
        camera.show(page, f"/staff/studies/{world.study}/plan/", "plan")
        camera.show(page, f"/staff/studies/{world.study}/preregistration/", "preregistration")
        camera.show(page, f"/staff/studies/{world.rehearsal}/report/", "report")
    with camera.staff(scheme="dark") as page:
        camera.show(page, here + rehearsal, "environment-dark")
    with camera.staff(PHONE) as page:
        camera.show(page, here + rehearsal, "environment-narrow")


def release(page: Page) -> None:
    """Release the baseline from its page."""
    page.get_by_text("Release this baseline").click()
    page.get_by_label("Note").fill("The first ten people of the spring sessions.")
    page.get_by_role("button", name="Release baseline 1").click()
    page.wait_for_url("**/releases/1/")
