"""Firefox over WebDriver BiDi, without a driver: one page, its keys, and what its scripts say."""

import json
import re
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

PATIENCE_SECONDS = 60
_KEYS = {
    "ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015",
    "Enter": "\ue007", "Control": "\ue009", "Space": " ",
}  # fmt: skip
_LISTENS = re.compile(rb"WebDriver BiDi listening on (ws://\S+)")


class Firefox:
    """The page that is open; an error of one of its scripts is kept in `errors`."""

    def __init__(self, socket: ClientConnection) -> None:
        self.errors: list[str] = []
        self._socket = socket
        self._numbers = count(1)
        self._ask("session.new", capabilities={})
        self._ask("session.subscribe", events=["log.entryAdded"])
        self._page = self._ask("browsingContext.getTree")["contexts"][0]["context"]

    def goto(self, address: str) -> None:
        self._ask("browsingContext.navigate", context=self._page, url=address, wait="complete")

    def reload(self) -> None:
        self._ask("browsingContext.reload", context=self._page, wait="complete")

    def evaluate(self, expression: str) -> Any:
        """The value of an expression in JSON types."""
        answer = self._ask(
            "script.evaluate",
            expression=f"JSON.stringify({expression})",
            target={"context": self._page},
            awaitPromise=True,
        )
        assert answer["type"] == "success", answer
        return json.loads(answer["result"]["value"]) if "value" in answer["result"] else None

    def wait_for(self, expression: str) -> None:
        """Until an expression is true on the page, also on one that it leads to."""
        end = time.monotonic() + PATIENCE_SECONDS
        while not self._holds(expression):
            assert time.monotonic() < end, f"never: {expression}; errors: {self.errors}"
            time.sleep(0.02)

    def press(self, key: str) -> None:
        """A key, or several at once as in Control+z."""
        keys = [_KEYS.get(one, one) for one in key.split("+")]
        actions = [{"type": "keyDown", "value": one} for one in keys]
        actions += [{"type": "keyUp", "value": one} for one in reversed(keys)]
        self._ask("input.performActions", context=self._page,
                  actions=[{"type": "key", "id": "keyboard", "actions": actions}])  # fmt: skip

    def type(self, text: str) -> None:
        for letter in text:
            self.press(letter)

    def click(self, x: float, y: float) -> None:
        """At CSS pixels of the window."""
        moves = {"type": "pointerMove", "x": round(x), "y": round(y)}
        buttons = [{"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        self._ask("input.performActions", context=self._page,
                  actions=[{"type": "pointer", "id": "mouse", "actions": [moves, *buttons]}])  # fmt: skip

    def click_on(self, selector: str, text: str = "") -> None:
        """In the middle of the first element of a selector that shows this text, once it can be pressed."""
        shown = f"one.checkVisibility() && !one.disabled && one.textContent.includes({json.dumps(text)})"
        found = f"[...document.querySelectorAll({json.dumps(selector)})].find((one) => {shown})"
        self.wait_for(f"{found} !== undefined")
        self.evaluate(f"{found}.scrollIntoView({{ block: 'center' }})")
        box = self.evaluate(f"{found}.getBoundingClientRect()")
        self.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def _holds(self, expression: str) -> bool:
        try:
            return bool(self.evaluate(expression))
        except AssertionError:  # the page is being left
            return False

    def _ask(self, method: str, **params: Any) -> dict[str, Any]:
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            answer = json.loads(self._socket.recv(PATIENCE_SECONDS))
            if answer["type"] == "event":
                self._note(answer)
            elif answer.get("id") == number:
                assert answer["type"] == "success", answer
                result: dict[str, Any] = answer["result"]
                return result

    def _note(self, event: dict[str, Any]) -> None:
        if event["method"] == "log.entryAdded" and event["params"]["type"] == "javascript":
            self.errors.append(event["params"]["text"])


@contextmanager
def firefox(folder: Path, wait: Callable[[float], None] = time.sleep) -> Iterator[Firefox]:
    """A Firefox with a new profile in this folder, without windows."""
    (folder / "profile").mkdir()
    log = folder / "firefox.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            ["firefox-esr", "--headless", "--no-remote", "--remote-debugging-port", "0",
             "--profile", str(folder / "profile"), "about:blank"],
            stdout=output, stderr=output,
            env={"HOME": str(folder), "PATH": "/usr/bin:/bin", "MOZ_HEADLESS_WIDTH": "1366",
                 "MOZ_HEADLESS_HEIGHT": "900"},
        )  # fmt: skip
    try:
        end = time.monotonic() + PATIENCE_SECONDS
        while (listens := _LISTENS.search(log.read_bytes())) is None:
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < end, log.read_text()
            wait(0.1)
        with connect(f"{listens[1].decode()}/session", max_size=None) as socket:
            yield Firefox(socket)
    finally:
        process.terminate()
        process.wait(PATIENCE_SECONDS)
