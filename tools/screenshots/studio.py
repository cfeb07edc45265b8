"""Pictures of the studio: import, environment, state graph, redundancy, sets and board."""

from playwright.sync_api import Page

from tools.screenshots.camera import PHONE, Camera
from tools.screenshots.world import EASY, World

CODE = "ke52"
OWNERS = {"ke52": "designer", "tb46": "designer", "tz85": "lead"}
PATIENCE_MS = 180_000
SEARCHED = (1, 2, 3)
FAR_ENOUGH = "() => document.querySelector('job-progress progress').value > 0.01"


def take(camera: Camera, world: World) -> None:
    with camera.staff() as page:
        upload(camera, page, world)
        camera.take(page, "import")
        describe(camera, page)
        take_a_full_qualification(camera, page)
        qualify(camera, page, CODE)
        for level in SEARCHED:
            search(camera, page, CODE, level)
        camera.take(page, "studio", f"/staff/environments/{CODE}/studio/")
        take_what_is_found(camera, page)
        mark_redundant(camera, page)
        world.server.seed(stages={"tb46": "external", "tz85": "done"})
        camera.take(page, "stages", "/staff/board/")
        world.server.seed(stages={"tb46": "done", CODE: "done"})
        camera.take(page, "sets", "/staff/sets/")
        camera.take(page, "card", f"/staff/cards/{CODE}/")
    with camera.staff(PHONE) as page:
        camera.take(page, "studio-narrow", f"/staff/environments/{CODE}/studio/")


def upload(camera: Camera, page: Page, world: World) -> None:
    camera.open(page, "/staff/environments/import/")
    page.set_input_files("#files", world.archive)
    page.get_by_role("button", name="Import environments").click()
    page.get_by_role("heading", name="rejected").wait_for(timeout=PATIENCE_MS)


def describe(camera: Camera, page: Page) -> None:
    """Give each environment a note and an owner, which its gate requires."""
    for code, owner in OWNERS.items():
        camera.open(page, f"/staff/environments/{code}/studio/edit/")
        page.get_by_label("Owner").select_option(label=owner)
        if code == CODE:
            camera.take(page, "describe")
        page.get_by_role("button", name="Save").click()
        page.get_by_text("Saved.").wait_for()


def take_a_full_qualification(camera: Camera, page: Page) -> None:
    """Take a running full qualification, then stop it because it takes many minutes."""
    ask_for_qualification(camera, page, CODE, "in full")
    page.wait_for_function(FAR_ENOUGH, timeout=PATIENCE_MS)
    camera.take(page, "qualification-running")
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("heading", name="was cancelled").wait_for()


def ask_for_qualification(camera: Camera, page: Page, code: str, steps: str) -> None:
    camera.open(page, f"/staff/environments/{code}/studio/")
    page.get_by_label("Qualify it").select_option(label=steps)
    page.get_by_role("button", name="Start qualification").click()
    page.wait_for_url("**/qualifications/**")


def qualify(camera: Camera, page: Page, code: str) -> None:
    """Request a short qualification and wait for its report."""
    ask_for_qualification(camera, page, code, "in 1,000 steps")
    page.get_by_role("heading", name="a shortened qualification").wait_for(timeout=PATIENCE_MS)


def search(camera: Camera, page: Page, code: str, level: int) -> None:
    """Explore a state graph for a few seconds."""
    camera.open(page, f"/staff/environments/{code}/studio/")
    page.locator("#level").select_option(str(level))
    page.get_by_label("Seconds at most").fill("15")
    page.get_by_role("button", name="Start exploration").click()
    page.wait_for_url("**/graphs/**")
    page.get_by_role("heading", name="fully explored").wait_for(timeout=PATIENCE_MS)


def take_what_is_found(camera: Camera, page: Page) -> None:
    """Take the findings of an environment that is too easy, their replay and its state graph."""
    qualify(camera, page, EASY)
    camera.take(page, "qualification")
    failed = page.get_by_role("row").filter(has_text="failed")
    failed.get_by_role("link", name="Watch it").first.click()
    page.locator("replay-player[data-seq]").wait_for()
    page.keyboard.press("End")
    camera.take(page, "recording")
    search(camera, page, EASY, 2)
    page.locator("state-graph svg").wait_for()
    page.get_by_role("heading", name="The graph").evaluate("heading => heading.scrollIntoView()")
    camera.take(page, "graph")


def mark_redundant(camera: Camera, page: Page) -> None:
    camera.open(page, f"/staff/redundancy/?first=tz85&second={CODE}")
    camera.take(page, "redundancy")
