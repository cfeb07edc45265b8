"""Fixtures for pages: a bare page with one module, or a participant at a real server."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pytest
from django.conf import settings
from django.utils.csp import build_policy
from playwright.sync_api import Browser, Page, Route

from tests.browsing import PAINTED, painted
from tests.live.server import Server

ORIGIN = "http://play.test"
STATIC = Path(settings.BASE_DIR) / "static"
TYPES = {".js": "text/javascript", ".css": "text/css"}
POLICY = build_policy(cast("dict[str, list[str]]", settings.SECURE_CSP))
BARE = """<!doctype html><html lang="en"><title>Playtest</title>
<link rel="stylesheet" href="/static/play/participant.css">
<link rel="stylesheet" href="/static/play/board.css">
<body></body></html>"""

Run = Callable[..., Any]


def _answer(route: Route) -> None:
    path = route.request.url.removeprefix(ORIGIN)
    if path.startswith("/static/"):
        file = STATIC / path.removeprefix("/static/")
        route.fulfill(body=file.read_bytes(), content_type=TYPES[file.suffix])
    else:
        route.fulfill(body=BARE, content_type="text/html", headers={"Content-Security-Policy": POLICY})


@pytest.fixture
def bare(page: Page) -> Iterator[Page]:
    """A page of an origin that only the test answers; an error of a script fails the test."""
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    open_bare(page)
    yield page
    assert errors == []


@pytest.fixture(scope="module")
def run(browser: Browser) -> Iterator[Run]:
    """`run("shared/board.js", "wholeScale(a, b, c)", a=1, ...)`: evaluate with the names of a module.

    One page for all tests of a file, for what keeps no state.
    """
    page = browser.new_page()
    open_bare(page)

    def evaluate(module: str, expression: str, **values: Any) -> Any:
        return page.evaluate(
            f"""async (values) => {{
                const {{ {", ".join(values)} }} = values;
                const module = await import("/static/{module}");
                return (({{ {_exports(module)} }}) => {expression})(module);
            }}""",
            values,
        )

    yield evaluate
    page.close()


def open_bare(page: Page) -> None:
    """Opens an empty page, whose scripts can wait for frames by `painted()`."""
    page.route(f"{ORIGIN}/**", _answer)
    page.add_init_script(f"window.painted = {PAINTED}")
    page.goto(f"{ORIGIN}/")


def _exports(module: str) -> str:
    """The names a module exports."""
    lines = [
        line.replace("export async", "export").split() for line in (STATIC / module).read_text().splitlines()
    ]
    kinds = {"const", "function", "class"}
    return ", ".join(
        line[2].split("(")[0] for line in lines if line[:1] == ["export"] and line[1:2] and line[1] in kinds
    )


@dataclass
class Participant:
    """A participant at a browser."""

    page: Page
    server: Server
    address: str
    seeded: dict[str, list[dict[str, Any]]]

    def reach(self, stage: str, pool: list[str] | None = None, **study: Any) -> int:
        """Opens the page before play of this name as somebody who has come so far; the session's number."""
        person = self._person(stage=stage, pool=pool, study=study)
        self._take(person)
        self._see(stage)
        return int(person["session"])

    def new_code(self, pool: list[str]) -> str:
        """The code of a person who has not come yet."""
        return str(self._person(stage="new", pool=pool, study={})["code"])

    def agree(self) -> None:
        self.page.get_by_role("button", name="I agree").click()
        self.page.wait_for_url("**/survey/")

    def skip_survey(self) -> None:
        while self.page.url.endswith("/survey/"):
            last = "5 of 5" in self.page.locator(".step").inner_text()
            self.page.get_by_role("button", name="Skip").click()
            if last:
                self._see("tutorial")

    def _see(self, stage: str) -> None:
        """Waits for a page before play. In the tutorial no press counts before it was painted."""
        self.page.wait_for_url(f"**/{stage}/")
        if stage == "tutorial":
            painted(self.page)

    def sit(self, environment: str, stage: str = "playing", later: Sequence[str] = (), **study: Any) -> int:
        """Opens an environment or the pause before it; returns the session's number."""
        person = self._person(pool=[environment], later=list(later), stage=stage, study=study)
        self._take(person)
        self.page.wait_for_selector(f"main[data-stage={stage}][data-connection=live]")
        return int(person["session"])

    def ask_now(self) -> None:
        """Lets a page without a socket ask at once what it asks every few seconds."""
        self.page.evaluate("dispatchEvent(new Event('online'))")

    def _take(self, person: dict[str, Any]) -> None:
        """Opens the page of a person's session in their seat."""
        cookie = {"name": "seat", "value": person["seat"], "url": self.address}
        self.page.context.add_cookies([cookie])  # type: ignore[list-item]
        self.page.goto(self.address)

    def _person(self, **wanted: Any) -> dict[str, Any]:
        """Returns an unused person; several are seeded at a time."""
        waiting = self.seeded.setdefault(repr(wanted), [])
        if not waiting:
            waiting.extend(self.server.seed(people=5, **wanted)["people"])
        return waiting.pop()

    def click_cell(self, x: int, y: int) -> None:
        self.page.mouse.click(*self.point(x, y))

    def point(self, x: int, y: int) -> tuple[float, float]:
        """The middle of a cell on the screen."""
        box = self.page.locator("canvas").bounding_box()
        assert box is not None
        return box["x"] + (x + 0.5) * box["width"] / 64, box["y"] + (y + 0.5) * box["height"] / 64

    def actions(self, session: int) -> list[tuple[Any, ...]]:
        """(action, x, y, input kind) of each journal row after the opening frame."""
        return self.server.rows(
            "SELECT e.action, e.x, e.y, e.input_kind FROM play_entry e"
            " JOIN play_attempt a ON a.id = e.attempt_id"
            f" WHERE a.session_id = {session} AND e.seq > 0 ORDER BY e.seq"
        )


@pytest.fixture(scope="session")
def seeded() -> dict[str, list[dict[str, Any]]]:
    """Unused people, by the arguments they were seeded with."""
    return {}


@pytest.fixture
def participant(
    page: Page, server: Server, port: int, seeded: dict[str, list[dict[str, Any]]]
) -> Iterator[Participant]:
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield Participant(page, server, f"http://127.0.0.1:{port}/", seeded)
    assert errors == []
