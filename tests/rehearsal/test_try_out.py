"""Whoever has just started the product plays at once, in a rehearsal that counts for nothing."""

from typing import Any

import pytest
from django.test import Client

from playtest.play.models import Attempt, Session, Study
from playtest.play.sessions.reads import REAL
from tests.make import study

pytestmark = [pytest.mark.django_db, pytest.mark.once]

ADDRESS = "/try-out/"
LINK = 'href="/try-out/"'


@pytest.fixture(autouse=True)
def nobody_else_can_connect(settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["localhost"]


def here(**named: str) -> Client:
    return Client(SERVER_NAME="localhost", **named)  # type: ignore[arg-type]


def test_each_time_a_new_session_opens_at_its_first_environment() -> None:
    study()
    client = here()
    client.get("/?language=ar")
    for _ in range(2):
        page = client.get(ADDRESS, follow=True)
        assert page.redirect_chain[-1] == ("/session/play/", 302)
    first, second = Session.objects.filter(study__rehearsal=True)
    assert first.participant != second.participant
    assert [session.attempts.count() for session in (first, second)] == [1, 1]
    assert {first.language, second.language} == {"ar"}, "as chosen on the first page"
    assert not Attempt.objects.filter(REAL).exists()


def test_the_welcome_page_offers_it() -> None:
    client = here()
    assert LINK in client.get("/").text
    assert not Study.objects.exists(), "only who plays makes its study"
    client.cookies["station"] = "1.token"
    assert LINK not in client.get("/").text


@pytest.mark.parametrize(
    ("changed", "request_"),
    [
        ({"ALLOWED_HOSTS": ["localhost", "center.example"]}, {}),
        ({"HOST": "0.0.0.0"}, {}),
        ({}, {"REMOTE_ADDR": "192.0.2.7"}),
    ],
)
def test_it_is_offered_on_this_machine_alone(
    changed: dict[str, Any], request_: dict[str, str], settings: Any
) -> None:
    study()
    for name, value in changed.items():
        setattr(settings, name, value)
    client = here(**request_)
    assert LINK not in client.get("/").text
    assert client.get(ADDRESS)["Location"] == "/"
    assert not Session.objects.exists()


def test_another_site_cannot_open_it() -> None:
    study()
    assert here(HTTP_SEC_FETCH_SITE="cross-site").get(ADDRESS)["Location"] == "/"
    assert not Session.objects.exists()
