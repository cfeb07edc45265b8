"""Opens staff pages in a real browser; Django answers in the test's thread and transaction.

Chromium is told that `http://localhost` is the `Desk`, a small HTTP server in a thread. What it receives
waits until the test is in a call to Playwright, and is answered there as `client` would be: so the page and
the test never use the database at once. Redirects, caching and downloads are the browser's own business.
"""

import asyncio
import contextvars
import fcntl
import itertools
import sys
import threading
import time
import traceback
from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings
from django.test import Client
from playwright.sync_api import Error, Page, Request

from playtest.serve.assets import build

ORIGIN = "http://localhost"
WHO = "x-browsing"
"""The header by which the desk knows whose page asks."""
PATIENCE_SECONDS = 60
PAINTED = """async () => {
    for (const _ of "12") await document.documentElement.animate([], 1).finished;
}"""
"""Waits for two frames. An animation's time is real where `page.clock` has replaced every other."""
FIGURES_DRAWN = "() => !document.querySelector('insight-figure [aria-busy=true]')"
SET_BY_CLIENT = {"cookie", "host", "content-type", "content-length", "connection", "accept-encoding", WHO}


class Asked(NamedTuple):
    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


class Answer(NamedTuple):
    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass
class Browsing:
    """A page and its signed-in client; `waiting` holds the requests without an answer yet."""

    page: Page
    client: Client
    loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.get_running_loop)
    context: contextvars.Context = field(default_factory=contextvars.copy_context)
    waiting: set[Request] = field(default_factory=set)

    def ask(self, asked: Asked) -> Answer:
        """Returns Django's answer from the thread of the test; any thread may call this."""
        given: Future[Answer] = Future()
        # In the test's context, because Django would open another connection to the database in a new one.
        self.loop.call_soon_threadsafe(self._answer, asked, given, context=self.context)
        return given.result(PATIENCE_SECONDS)

    def _answer(self, asked: Asked, given: Future[Answer]) -> None:
        if self.page.is_closed():
            given.set_result(Answer(503, {}, b"the test is over"))
            return
        try:
            given.set_result(self._as_client(asked))
        except Exception as error:  # the page gets it, and so does whoever reads why the test failed
            traceback.print_exc(file=sys.stderr)
            given.set_result(Answer(500, {"Content-Type": "text/plain"}, repr(error).encode()))

    def _as_client(self, asked: Asked) -> Answer:
        found = self.client.generic(
            asked.method,
            asked.path,
            asked.body,
            content_type=asked.headers.get("content-type", "application/octet-stream"),
            headers={
                "host": "localhost",
                **{name: text for name, text in asked.headers.items() if name not in SET_BY_CLIENT},
            },
        )
        headers = {name: text for name, text in found.headers.items() if name != "Content-Length"}
        return Answer(found.status_code, headers, found.getvalue())


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def answer(self) -> None:
        headers = {name.lower(): text for name, text in self.headers.items()}
        body = self.rfile.read(int(headers.get("content-length", 0)))
        browsing = Desk.visitors.get(headers.get(WHO, ""))
        if browsing is None:
            self.send_error(404, "nobody browses here")
            return
        status, headers_back, text = browsing.ask(Asked(self.command, self.path, headers, body))
        self.send_response_only(status)
        for name, value in headers_back.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(text)

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = answer  # noqa: N815

    def log_message(self, *_: Any) -> None:
        """Discards the message."""


class Desk(ThreadingHTTPServer):
    """Answers the requests of every page; a header carries the page's number."""

    daemon_threads = True
    visitors: dict[str, Browsing] = {}
    numbers = itertools.count(1)

    def handle_error(self, *_: Any) -> None:
        """Ignores pages that were closed before their answer; reports every other error."""
        if not isinstance(sys.exception(), ConnectionError):
            traceback.print_exc(file=sys.stderr)


def bundles() -> Path:
    """The folder with what is served of `static/`, stored for later runs."""
    root = Path(settings.BASE_DIR) / ".pytest_cache" / "assets"
    root.mkdir(parents=True, exist_ok=True)
    with (root.parent / "lock_assets").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        build(root, settings.BASE_DIR / "static", settings.BASE_DIR / "templates")
    return root


@contextmanager
def open_desk() -> Iterator[int]:
    """Runs the desk and yields its port."""
    with Desk(("127.0.0.1", 0), Handler) as desk:
        thread = threading.Thread(target=desk.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        yield int(desk.server_address[1])
        desk.shutdown()
        thread.join()


def browse(page: Page, client: Client) -> Page:
    """Answers the requests of the page and its popups with `client` and its signed-in account."""
    number = str(next(Desk.numbers))
    Desk.visitors[number] = browsing = Browsing(page, client)
    page.on("request", lambda request: browsing.waiting.add(request))
    page.on("requestfinished", lambda request: browsing.waiting.discard(request))
    page.on("requestfailed", lambda request: browsing.waiting.discard(request))
    page.on("close", lambda page: forget(number))
    page.context.set_extra_http_headers({WHO: number})
    return page


def forget(number: str) -> None:
    Desk.visitors.pop(number, None)


def painted(page: Page) -> None:
    """Waits until the page has painted two frames: the first may have begun before it was changed."""
    page.evaluate(PAINTED)


def settled(page: Page) -> Page:
    """Waits until the page has every answer and its figures, and was drawn without a new request."""
    (browsing,) = (one for one in Desk.visitors.values() if one.page is page)
    page.wait_for_load_state("load")
    until = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < until:
        try:
            painted(page)
            if not browsing.waiting and page.evaluate(FIGURES_DRAWN):
                return page
        except Error as error:
            if "context was destroyed" not in error.message:
                raise
            page.wait_for_load_state("load")  # another page has begun to open
        page.wait_for_timeout(5)
    raise TimeoutError(f"{page.url} waits for {browsing.waiting or 'a figure'}")
