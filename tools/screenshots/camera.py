"""Takes pictures with a browser of desk or phone size and compresses the files."""

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import Literal

from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize

from tests.live.server import PASSWORD, ROOT

PICTURES = ROOT / "docs" / "pictures"
DESK: ViewportSize = {"width": 1280, "height": 800}
WALL: ViewportSize = {"width": 1920, "height": 1080}
PHONE: ViewportSize = {"width": 390, "height": 844}
COLOURS = 192
STAFF = "lead"


class Camera:
    """Opens pages of the server at `port` and saves pictures of them."""

    def __init__(self, browser: Browser, port: int) -> None:
        self.root = f"http://127.0.0.1:{port}"
        self._browser = browser

    @contextmanager
    def page(self, size: ViewportSize = DESK, scheme: Literal["light", "dark"] = "light") -> Iterator[Page]:
        """A page without a signed-in account."""
        context = self._browser.new_context(viewport=size, color_scheme=scheme, reduced_motion="reduce")
        page = context.new_page()
        yield page
        context.close()

    @contextmanager
    def staff(
        self, size: ViewportSize = DESK, scheme: Literal["light", "dark"] = "light", name: str = STAFF
    ) -> Iterator[Page]:
        """A page where the lead, or another member of staff, is signed in."""
        with self.page(size, scheme) as page:
            page.goto(f"{self.root}/staff/sign-in/")
            page.get_by_label("Name").fill(name)
            page.get_by_label("Password").fill(PASSWORD)
            page.keyboard.press("Enter")
            page.wait_for_url(lambda url: "sign-in" not in url)
            yield page

    def open(self, page: Page, path: str) -> None:
        page.goto(self.root + path)
        page.wait_for_load_state("networkidle")

    def show(self, page: Page, path: str, name: str) -> None:
        """Opens a page, waits until its figures are drawn and takes it."""
        self.open(page, path)
        page.wait_for_timeout(500)
        self.take(page, name)

    def take(self, page: Page, name: str, path: str | None = None, *, whole: bool = False) -> None:
        """Opens `path` and saves what is in sight, or the `whole` page, as docs/pictures/<name>.png."""
        if path is not None:
            self.open(page, path)
        taken = Image.open(BytesIO(page.screenshot(full_page=whole))).convert("RGB")
        few = taken.quantize(COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
        few.save(PICTURES / f"{name}.png", optimize=True)
