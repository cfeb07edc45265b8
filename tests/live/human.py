"""A person at a browser, who plays with keys and mouse and waits for each answer."""

import time
from pathlib import Path

from playwright.sync_api import Page, WebSocket, expect

from engine.play.actions import CLICK, Action
from engine.play.recording import read
from tests.browsing import painted

KEYS = {0: "r", 1: "ArrowUp", 2: "ArrowDown", 3: "ArrowLeft", 4: "ArrowRight", 5: "Space", 7: "Control+z"}
BEAT_SECONDS = 0.025
"""Nobody is faster; the server takes no more than fifty messages a second from one page."""
MAY_ACT = """() => document.querySelector("main").dataset.stage !== "playing"
    || document.querySelector("play-controls .cap[aria-disabled=false]") !== null"""

SHOWN = """sequence => document.querySelector("main").dataset.stage !== "playing"
    || document.querySelector("main").dataset.shown === sequence"""


class Human:
    """Plays on a page of the running product."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = address
        self._acted = 0.0
        page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        self._socket = socket

    def check_in(self, code: str) -> None:
        """From the code to the first environment's board."""
        self.page.goto(self.address)
        self.page.get_by_label("Enter your code").fill(code.lower().replace("-", " "))
        self.page.keyboard.press("Enter")
        self.page.get_by_role("button", name="I agree").click()
        self.page.wait_for_url("**/survey/")
        self.skip_survey()
        self.learn()

    def skip_survey(self) -> None:
        while "/survey/" in self.page.url:
            step = self.page.locator(".step").inner_text().split()
            self.page.get_by_role("button", name="Skip").click()
            if step[-1] == step[-3]:
                self.page.wait_for_url("**/tutorial/")

    def learn(self) -> None:
        start = self.page.get_by_role("button", name="Start", exact=True)
        expect(start).to_be_disabled()
        painted(self.page)
        for key in ("w", "ArrowLeft", "ArrowDown", "d", "Space", "Control+z", "r"):
            self.page.keyboard.press(key)
        self.click(32, 32)
        start.click()
        self.until_playing()

    def click(self, x: int, y: int) -> None:
        self.page.mouse.click(*self.point(x, y))

    def point(self, x: int, y: int) -> tuple[float, float]:
        box = self.page.locator("play-board canvas").bounding_box()
        assert box is not None
        return box["x"] + (x + 0.5) * box["width"] / 64, box["y"] + (y + 0.5) * box["height"] / 64

    def act(self, action: Action) -> None:
        """One key press or click, and its answer, until the next can be made."""
        time.sleep(max(0.0, self._acted + BEAT_SECONDS - time.monotonic()))
        with self._socket.expect_event("framereceived", is_turn) as received:
            if action.id == CLICK:
                self.click(action.x or 0, action.y or 0)
            else:
                self.page.keyboard.press(KEYS[action.id])
        self._acted = time.monotonic()
        assert isinstance(received.value, bytes)
        # A press before the page shows the answer is queued, and dropped if the answer begins a level.
        self.page.wait_for_function(SHOWN, arg=str(int.from_bytes(received.value[4:8], "little")))
        self.page.wait_for_function(MAY_ACT)

    def until_playing(self) -> None:
        """An environment is open, and its controls can be used."""
        self.page.wait_for_selector("main[data-stage=playing][data-connection=live]")
        self.page.wait_for_function(MAY_ACT)

    def controls(self) -> list[str]:
        caps = self.page.locator("play-controls .cap").all()
        return [cap.get_attribute("aria-label") or "" for cap in caps if cap.is_visible()]


def is_turn(message: str | bytes) -> bool:
    return isinstance(message, bytes)


def winning_actions(environment: Path, name: str = "win") -> list[Action]:
    """The actions of an environment's recorded win, without the opening; the fewest with "shortest"."""
    lines = (environment / "recordings" / f"{name}.jsonl").read_text().splitlines()
    return [turn.action for turn in read(lines).turns[1:]]
