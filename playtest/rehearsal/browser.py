"""A browser for the pages before and after play: cookies, forms, CSRF tokens, origin, and what it sends."""

import asyncio
import json
import ssl
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from http import HTTPStatus
from http.cookiejar import CookieJar
from random import Random
from types import MappingProxyType
from typing import Any, NamedTuple

from playtest.rules.survey_questions import QUESTIONS

_TIMEOUT_SECONDS = 60
_TOKEN = "csrftoken"


class Page(NamedTuple):
    """The page after redirects."""

    status: int
    path: str
    text: str


class Browser:
    """One station's browser. `station` is the value of its signed cookie, "" for none."""

    def __init__(self, root: str, station: str = "") -> None:
        self.root = root.rstrip("/")
        self._jar = CookieJar()
        self._station = station
        # No proxy: the one of the environment would be used even for this machine. No certificates for plain
        # HTTP: loading them takes longer than all pages of a session.
        plain = not root.startswith("https:")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if plain else ssl.create_default_context()
        self._opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}),
            urllib.request.HTTPSHandler(context=context),
            urllib.request.HTTPCookieProcessor(self._jar),
        )

    async def get(self, path: str) -> Page:
        return await asyncio.to_thread(self._open, self._request(path))

    async def post(self, path: str, **fields: str) -> Page:
        """Sends a form of the page that was read last."""
        data = urllib.parse.urlencode({"csrfmiddlewaretoken": self.cookie(_TOKEN), **fields}).encode()
        return await self._send(path, data)

    async def post_json(self, path: str, document: dict[str, Any]) -> Page:
        """Sends what a script of the page sends."""
        kind = "application/json"
        headers = {"Content-Type": kind, "Accept": kind, "X-CSRFToken": self.cookie(_TOKEN)}
        return await self._send(path, json.dumps(document).encode(), headers)

    async def _send(self, path: str, data: bytes, headers: Mapping[str, str] = MappingProxyType({})) -> Page:
        request = self._request(path, data)
        for name, value in {"Origin": self.root, "Referer": self.root + path, **headers}.items():
            request.add_header(name, value)
        return await asyncio.to_thread(self._open, request)

    def cookie(self, name: str) -> str:
        return next((cookie.value or "" for cookie in self._jar if cookie.name == name), "")

    def _request(self, path: str, data: bytes | None = None) -> urllib.request.Request:
        request = urllib.request.Request(self.root + path, data=data)
        if self._station:
            request.add_unredirected_header("Cookie", self._cookies())
        return request

    def _cookies(self) -> str:
        mine = {cookie.name: cookie.value for cookie in self._jar} | {"station": self._station}
        return "; ".join(f"{name}={value}" for name, value in mine.items())

    def _open(self, request: urllib.request.Request) -> Page:
        try:
            with self._opener.open(request, timeout=_TIMEOUT_SECONDS) as answer:
                return Page(answer.status, urllib.parse.urlsplit(answer.url).path, answer.read().decode())
        except urllib.error.HTTPError as error:
            return Page(error.code, urllib.parse.urlsplit(error.url or "").path, error.read().decode())


class RehearsalFailed(Exception):
    """The server did not do what a participant's browser expects."""


class TryAgain(RehearsalFailed):
    """The server closed the connection and asked the page to connect again (4503)."""


class SeatLost(RehearsalFailed):
    """The session was moved to another station, or its code was replaced."""


_TRIES, _TRY_AGAIN_SECONDS = 40, 5.0


async def enter_code(browser: Browser, code: str) -> Page:
    """Enters a code, and retries while the rate limit refuses it: that limit is in real time."""
    for _ in range(_TRIES):
        page = await browser.post("/", code=code)
        if page.status != HTTPStatus.TOO_MANY_REQUESTS:
            return page
        await asyncio.sleep(_TRY_AGAIN_SECONDS)
    raise RehearsalFailed("The server takes no more codes.")


def survey_answers(chance: Random) -> dict[str, str]:
    """One person in four answers nothing; the others skip some questions."""
    if chance.random() < 0.25:
        return {}
    return {
        question.name: chance.choice(question.choices)[0] for question in QUESTIONS if chance.random() < 0.9
    }


def debrief_answers(chance: Random, previous: Mapping[str, Any]) -> dict[str, Any] | None:
    """The difficulty that one person felt in the environment that ended so; one in five says nothing."""
    if chance.random() < 0.2:
        return None
    felt = (1, 2, 2, 3) if previous["solved"] else (3, 4, 4, 5)
    return {"difficulty": chance.choice(felt), "about": ""}


def expect(page: Page, path: str) -> None:
    """Raises RehearsalFailed unless this page came."""
    if (page.status, page.path) != (200, path):
        raise RehearsalFailed(f"Expected {path}, but came to {page.path} ({page.status}).")
