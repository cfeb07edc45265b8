"""A bare page with the product's scripts and its content security policy, for modules that need no server."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from playwright.sync_api import Browser, Page, Route


ORIGIN = "http://play.test"
STATIC = Path(settings.BASE_DIR) / "static"
TYPES = {".js": "text/javascript", ".css": "text/css"}
POLICY = "; ".join(f"{name} {' '.join(values)}" for name, values in settings.SECURE_CSP.items())
BARE = """<!doctype html><html lang="en"><title>Playtest</title>
<link rel="stylesheet" href="/static/play/participant.css"><link rel="stylesheet" href="/static/play/board.css">
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
    """The page, from an origin that only this test answers for; a script's error fails the test."""
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    open_bare(page)
    yield page
    assert errors == []


@pytest.fixture(scope="module")
def run(browser: Browser) -> Iterator[Run]:
    """`run("board.js", "wholeScale(a, b, c)", a=1, ...)`: evaluate with a module's names and these values.

    One page for all tests of a file, for what keeps no state.
    """
    page = browser.new_page()
    open_bare(page)

    def evaluate(module: str, expression: str, **values: Any) -> Any:
        return page.evaluate(
            f"""async (values) => {{
                const {{ {", ".join(values)} }} = values;
                const module = await import("/static/play/{module}");
                return (({{ {_exports(module)} }}) => {expression})(module);
            }}""",
            values,
        )

    yield evaluate
    page.close()


def open_bare(page: Page) -> None:
    page.route(f"{ORIGIN}/**", _answer)
    page.goto(f"{ORIGIN}/")


def _exports(module: str) -> str:
    """The names a module exports."""
    words = [line.split() for line in (STATIC / "play" / module).read_text().splitlines()]
    kinds = {"const", "function", "class"}
    return ", ".join(
        line[2].split("(")[0] for line in words if line[:1] == ["export"] and line[1:2] and line[1] in kinds
    )
