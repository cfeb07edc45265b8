"""A client that opens pages over HTTP and stores cookies, like a browser without scripts."""

import urllib.error
import urllib.parse
import urllib.request
from http.cookiejar import CookieJar
from typing import NamedTuple

from tests.live.seeder import PATIENCE_SECONDS


class Answer(NamedTuple):
    status: int
    path: str
    text: str


class Visitor:
    """Follows redirects and sends the CSRF token of the page."""

    def __init__(self, port: int) -> None:
        self._root = f"http://127.0.0.1:{port}"
        self.cookies = CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))

    def get(self, path: str) -> Answer:
        return self._open(urllib.request.Request(self._root + path))

    def post(self, path: str, **fields: str | list[str]) -> Answer:
        token = self.cookie("csrftoken")
        data = urllib.parse.urlencode({"csrfmiddlewaretoken": token, **fields}, doseq=True).encode()
        return self._open(urllib.request.Request(self._root + path, data=data))

    def cookie(self, name: str) -> str:
        return next((cookie.value or "" for cookie in self.cookies if cookie.name == name), "")

    def _open(self, request: urllib.request.Request) -> Answer:
        try:
            with self._opener.open(request, timeout=PATIENCE_SECONDS) as answer:
                path = urllib.parse.urlsplit(answer.url).path
                return Answer(answer.status, path, answer.read().decode())
        except urllib.error.HTTPError as error:
            return Answer(error.code, urllib.parse.urlsplit(error.url or "").path, error.read().decode())
