"""Films a browser page: each picture stands as long as the film says, however fast the machine is.

The pointer is drawn into the pictures, because a browser without a window has none. It moves over a page that
stands still, so that nothing flickers.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from io import BytesIO
from pathlib import Path
from typing import Any

import av
from PIL import Image, ImageDraw, ImageFont
from playwright.sync_api import Locator, Page, ViewportSize

SIZE: ViewportSize = {"width": 1280, "height": 720}
CAPTION_HEIGHT = 64
TICKS_A_SECOND = 1000
STEPS_OF_POINTER, POINTER_SECONDS = 14, 0.7
CLICK_SECONDS = 0.35
MOST_SECONDS_A_PICTURE = 1.0
"""A picture that stands longer is repeated, so that players can seek."""
X264 = {"preset": "veryslow", "crf": "29", "tune": "animation", "bf": "0", "g": "600"}
INK, PAPER, ACCENT = (255, 255, 255), (20, 22, 26), (30, 147, 255)


class Cinema:
    """A film of pages in the order in which things are done. Times are those of the film."""

    def __init__(self, container: Any) -> None:
        self.seconds = 0.0
        self._container = container
        self._stream = container.add_stream("libx264", rate=30, options=X264)
        self._stream.width, self._stream.height = SIZE["width"], SIZE["height"] + CAPTION_HEIGHT
        self._stream.pix_fmt = "yuv420p"
        self._stream.codec_context.time_base = Fraction(1, TICKS_A_SECOND)
        self._caption = ""
        self._at = (SIZE["width"] / 2, SIZE["height"] / 2)
        self.page: Page | None = None

    def title(self, text: str, below: str, seconds: float = 2.5) -> None:
        """A page with only a title."""
        made = Image.new("RGB", (SIZE["width"], SIZE["height"]), PAPER)
        draw = ImageDraw.Draw(made)
        middle = SIZE["width"] / 2, SIZE["height"] / 2
        draw.text(middle, text, fill=INK, font=ImageFont.load_default(56), anchor="mm")
        draw.text((middle[0], middle[1] + 64), below, fill=INK, font=ImageFont.load_default(26), anchor="mm")
        self._caption = ""
        self._show(made, seconds, pointer=False)

    def say(self, caption: str) -> None:
        """What is being done, from the next picture on."""
        self._caption = caption

    def hold(self, seconds: float) -> None:
        """The page as it is now."""
        self._show(self._picture(), seconds)

    def point(self, target: Locator) -> None:
        """Move the pointer to the middle of what is there."""
        target.scroll_into_view_if_needed()
        box = target.bounding_box()
        assert box is not None
        self.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def move(self, x: float, y: float) -> None:
        """Move the pointer evenly to a place of the page."""
        picture, (from_x, from_y) = self._picture(), self._at
        for step in range(1, STEPS_OF_POINTER + 1):
            share = step / STEPS_OF_POINTER
            eased = share * share * (3 - 2 * share)
            self._at = from_x + (x - from_x) * eased, from_y + (y - from_y) * eased
            self._show(picture, POINTER_SECONDS / STEPS_OF_POINTER)
        assert self.page is not None
        self.page.mouse.move(x, y)

    def click(self, target: Locator, hold: float = 1.5) -> None:
        """Point, click, and show what comes of it."""
        self.point(target)
        self._show(self._picture(), CLICK_SECONDS, pressed=True)
        target.click()
        self.wait()
        self.hold(hold)

    def choose(self, field: Locator, label: str, hold: float = 1.5) -> None:
        """Choose an option of a list."""
        self.point(field)
        field.select_option(label=label)
        self.wait()
        self.hold(hold)

    def type(self, field: Locator, text: str, hold: float = 0.8) -> None:
        """Point to a field and type into it."""
        self.point(field)
        field.click()
        for character in text:
            field.press_sequentially(character)
            self.hold(0.09)
        self.hold(hold)

    def press(self, keys: str, hold: float) -> None:
        assert self.page is not None
        self.page.keyboard.press(keys)
        self.wait()
        self.hold(hold)

    def wait(self) -> None:
        """Wait until the page has loaded and was drawn."""
        assert self.page is not None
        self.page.wait_for_load_state("networkidle")
        self.page.wait_for_timeout(250)

    def finish(self) -> None:
        self._container.mux(self._stream.encode(None))

    def _picture(self) -> Image.Image:
        assert self.page is not None
        return Image.open(BytesIO(self.page.screenshot())).convert("RGB")

    def _show(
        self, picture: Image.Image, seconds: float, *, pointer: bool = True, pressed: bool = False
    ) -> None:
        made = Image.new("RGB", (SIZE["width"], SIZE["height"] + CAPTION_HEIGHT), PAPER)
        made.paste(picture)
        draw = ImageDraw.Draw(made)
        draw.text(
            (24, SIZE["height"] + CAPTION_HEIGHT / 2),
            self._caption,
            fill=INK,
            font=ImageFont.load_default(26),
            anchor="lm",
        )
        if pointer:
            draw_pointer(draw, *self._at, pressed=pressed)
        from_image: Any = av.VideoFrame.from_image
        frame = from_image(made)
        while seconds > 0:
            frame.pts, frame.time_base = round(self.seconds * TICKS_A_SECOND), Fraction(1, TICKS_A_SECOND)
            self._container.mux(self._stream.encode(frame))
            stands = min(seconds, MOST_SECONDS_A_PICTURE)
            self.seconds, seconds = self.seconds + stands, seconds - stands


@contextmanager
def filming(path: Path) -> Iterator[Cinema]:
    """A cinema that writes an MP4 file, which is complete afterwards."""
    with av.open(str(path), "w", format="mp4", options={"movflags": "faststart"}) as container:
        cinema = Cinema(container)
        yield cinema
        cinema.finish()


def draw_pointer(draw: ImageDraw.ImageDraw, x: float, y: float, *, pressed: bool) -> None:
    """An arrow; with a ring around its tip while it clicks."""
    if pressed:
        draw.ellipse((x - 18, y - 18, x + 18, y + 18), outline=ACCENT, width=4)
    shape = [(0, 0), (0, 22), (5, 17), (9, 26), (13, 24), (9, 16), (16, 16)]
    draw.polygon([(x + dx, y + dy) for dx, dy in shape], fill=(0, 0, 0), outline=(255, 255, 255))
