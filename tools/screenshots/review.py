"""Pictures of review: attempts, replays, cases, exports and withdrawals."""

from playwright.sync_api import Page

from tools.screenshots.camera import Camera
from tools.screenshots.world import World

MOMENT = 60
PATIENCE_MS = 120_000


def take(camera: Camera, world: World) -> None:
    solved = world.attempt("ke52", world.study, "levels_completed DESC, play_attempt.id")
    other = world.attempt("ke52", world.study, "levels_completed, play_attempt.id")
    with camera.staff() as page:
        camera.take(page, "attempts", f"/staff/attempts/?study={world.rehearsal}")
        show(camera, page, f"/staff/attempts/{solved}/?a={MOMENT}")
        comment(page)
        camera.take(page, "replay")
        collect(page, "The block moves with its figure.", "The moment they understand")
        show(camera, page, f"/staff/attempts/{other}/?a={MOMENT}")
        collect(page, "Here, too, and leaves all the same.")
        camera.take(page, "collection", "/staff/collections/1/")
        show(camera, page, f"/staff/attempts/{solved}/?with={other}&a={MOMENT}")
        camera.take(page, "side-by-side")
        take_exports(camera, page, other)
        camera.take(page, "review", "/staff/review/")
        keep(page)
        camera.take(page, "decisions", "/staff/review/decisions/")
    with camera.staff(scheme="dark") as page:
        show(camera, page, f"/staff/attempts/{solved}/?a={MOMENT}")
        camera.take(page, "replay-dark")


def show(camera: Camera, page: Page, path: str) -> None:
    camera.open(page, path)
    page.locator("replay-player[data-seq]").wait_for()


def comment(page: Page) -> None:
    """Comment on the shown moment."""
    page.keyboard.press("c")
    page.keyboard.type("Finds out here that the small block moves the large one.")
    page.keyboard.press("Control+Enter")
    page.locator("replay-comments li").wait_for()


def collect(page: Page, note: str, new: str = "") -> None:
    """Add the shown moment to the first collection or to a new one."""
    page.keyboard.press("p")
    dialog = page.get_by_role("dialog", name="Add to a collection")
    dialog.locator("option", has_text="a new one").wait_for(state="attached")
    dialog.get_by_label("Note").fill(note)
    if new:
        dialog.get_by_label("New collection").fill(new)
    dialog.get_by_role("button", name="Add").click()
    dialog.wait_for(state="hidden")


def keep(page: Page) -> None:
    """Decide to keep everything of the shown case."""
    page.get_by_label("Reason").select_option("explained")
    page.get_by_label("Explanation").fill("Thinks for long, then plays on.")
    page.get_by_role("button", name="Keep everything").click()
    page.get_by_text("Decided:").wait_for()


def take_exports(camera: Camera, page: Page, attempt: int) -> None:
    """Take exports of a short film and of a study's data."""
    camera.take(page, "film", f"/staff/attempts/{attempt}/exports/?a={MOMENT}")
    page.get_by_role("button", name="Make film").click()
    page.wait_for_url("**/staff/exports/**")
    camera.open(page, "/staff/data/")
    page.get_by_label("Study").select_option(label="Spring sessions")
    camera.take(page, "data")
    page.get_by_role("button", name="Export data").click()
    page.wait_for_url("**/staff/exports/**")
    page.get_by_role("link", name="Download").nth(1).wait_for(timeout=PATIENCE_MS)
    camera.take(page, "exports", "/staff/exports/")
