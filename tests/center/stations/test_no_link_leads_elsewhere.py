"""No page that a participant sees at a station leads to another site or to pages of staff."""

from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import pytest
from django.test import Client

from playtest.people.services import new_participant
from playtest.play.models import Session, SessionEnd
from playtest.play.sessions.ends import end_session
from playtest.play.sessions.services import create_session
from tests import make, seats

pytestmark = [pytest.mark.django_db, pytest.mark.once]

ADDRESSES = {"href", "src", "action", "formaction", "data-address"}
OURS = ("/static/", "/session/", "data:,")


class Links(HTMLParser):
    """Every address that a page names."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value or "" for name, value in attrs if name in ADDRESSES]
        assert not any(name in ("target", "ping") or name.startswith("on") for name, _ in attrs), tag


def pages(client: Client, code: str) -> Iterator[Any]:
    """Every page from the code to the thanks, and those of a refused code and of one that does not exist."""
    yield client.get("/")
    yield client.get("/station/")
    yield client.post("/", {"code": "AAA-AAA"})
    assert client.post("/", {"code": code}).status_code == 302
    yield client.get("/session/consent/")
    client.post("/session/consent/", {"answer": "agree"})
    yield client.get("/session/survey/")
    client.post("/session/survey/", {})
    yield client.get("/session/tutorial/")
    client.post("/session/tutorial/")
    yield client.get("/session/play/")
    end_session(Session.objects.get(), SessionEnd.ENDED_BY_STAFF)
    yield client.get("/session/thanks/")
    yield client.get("/nothing/")


def test_every_page_at_a_station_leads_to_our_own_pages_for_participants_only() -> None:
    client = seats.browser_at(7)
    _, code = create_session(make.study(), new_participant(), None)
    seen = 0
    for page in pages(client, code):
        assert page.status_code in (200, 404, 409), page
        assert page.status_code == 404 or "no-store" in page["Cache-Control"]
        links = Links(page.content.decode()).found
        assert links, "at least a style sheet"
        assert [link for link in links if link != "/" and not link.startswith((*OURS, "?language="))] == []
        seen += 1
    assert seen == 9
