"""Pictures of results: portfolio, environment, level, ends, action patterns, versions, baseline and study."""

from playwright.sync_api import Page

from tools.screenshots.camera import PHONE, Camera
from tools.screenshots.world import World

CODE = "ke52"


def take(camera: Camera, world: World) -> None:
    """Take the pages of results, of the rehearsal and of real people."""
    here, rehearsal = f"/staff/environments/{CODE}/", f"?study={world.rehearsal}"
    with camera.staff() as page:
        show(camera, page, f"/staff/environments/{rehearsal}", "environments")
        show(camera, page, here + rehearsal, "environment")
        show(camera, page, f"{here}levels/3/{rehearsal}", "level")
        show(camera, page, f"{here}levels/3/ends/{rehearsal}", "level-ends")
        show(camera, page, f"{here}levels/3/tried/{rehearsal}", "level-tried")
        show(camera, page, f"{here}levels/3/states/{rehearsal}", "states")
        show(camera, page, f"{here}versions/", "versions")
        show(camera, page, f"{here}split/{rehearsal}&by=protocol", "split")
        show(camera, page, f"{here}baseline/", "baseline")
        release(page)
        camera.take(page, "release")
        show(camera, page, f"/staff/studies/{world.rehearsal}/", "study")
        show(camera, page, f"/staff/studies/{world.study}/plan/", "plan")
        show(camera, page, f"/staff/studies/{world.study}/preregistration/", "preregistration")
        show(camera, page, f"/staff/studies/{world.rehearsal}/report/", "report")
    with camera.staff(scheme="dark") as page:
        show(camera, page, here + rehearsal, "environment-dark")
    with camera.staff(PHONE) as page:
        show(camera, page, here + rehearsal, "environment-narrow")


def show(camera: Camera, page: Page, path: str, name: str) -> None:
    """Open a page, wait until its figures are drawn and take it."""
    camera.open(page, path)
    page.wait_for_timeout(500)
    camera.take(page, name)


def release(page: Page) -> None:
    """Release the baseline from its page."""
    page.get_by_text("Release this baseline").click()
    page.get_by_label("Note").fill("The first ten people of the spring sessions.")
    page.get_by_role("button", name="Release baseline 1").click()
    page.wait_for_url("**/releases/1/")
