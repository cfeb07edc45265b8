"""What browsers may ask for before it is opened: nothing happens by it, and nothing else is given."""

import json
import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from playtest.insight.requests import find_version
from playtest.insight.services.releases import release
from playtest.insight.services.results import bring_up_to_date
from playtest.people.prefetching import PREFETCHED
from playtest.people.roles import Role
from playtest.play.models import Attempt, Study
from playtest.review.services.collections import create_collection
from playtest.rules.attempt import Outcome
from tests import sittings
from tests.live.games import WALK
from tests.people.test_page_rights import addresses as addresses
from tests.people.test_page_rights import other_addresses
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

WRITES = re.compile(r"\s*(INSERT|UPDATE|DELETE|REPLACE)\b", re.IGNORECASE)
AHEAD = {"sec-purpose": "prefetch"}


@pytest.fixture
def lead() -> Client:
    return signed_in(Role.LEAD)


@pytest.fixture
def something(addresses: dict[str, str]) -> dict[str, str]:
    """The addresses, with a release and a collection, and results that are up to date."""
    sittings.play(sittings.sit_down(Study.objects.get()), [*[2] * 31, *WALK], Outcome.COMPLETED)
    bring_up_to_date(Attempt.objects.all())
    release(find_version("wk01"), staff(Role.LEAD), "For a test.", provisional=True)
    made = create_collection(staff(Role.LEAD), "Stuck at once")
    return addresses | {"review:collection": reverse("review:collection", args=[made.pk])}


def test_asking_for_a_page_ahead_writes_nothing(something: dict[str, str], lead: Client) -> None:
    for name in sorted(PREFETCHED):
        with CaptureQueriesContext(connection) as asked:
            answer = lead.get(something[name], headers=AHEAD)
        assert answer.status_code == 200, name
        assert [query["sql"] for query in asked if WRITES.match(query["sql"])] == [], name


def test_everything_else_is_refused_ahead(addresses: dict[str, str], lead: Client) -> None:
    others = {name: address for name, address in addresses.items() if name not in PREFETCHED}
    others |= {name: address for name, address in other_addresses().items() if name not in PREFETCHED}
    assert {
        name for name, address in others.items() if lead.get(address, headers=AHEAD).status_code != 425
    } == set()
    assert lead.get(addresses["insight:environment"]).status_code == 200


def test_nothing_is_given_ahead_while_a_message_waits(lead: Client) -> None:
    answer = lead.post(reverse("arena:harness-new"), {})
    assert answer.status_code == 302
    sessions = reverse("center:sessions")
    assert lead.get(sessions, headers=AHEAD).status_code == 425
    assert 'class="notice"' in lead.get(sessions).content.decode()
    assert lead.get(sessions, headers=AHEAD).status_code == 200


def test_pages_name_the_rules_which_name_no_page_that_shows_frames(lead: Client) -> None:
    page = lead.get(reverse("people:home"))
    assert page["Speculation-Rules"] == f'"{reverse("people:prefetch-rules")}"'
    assert "no-store" in page["Cache-Control"]
    answer = Client().get(reverse("people:prefetch-rules"))
    assert answer["Content-Type"] == "application/speculationrules+json"
    places: Any = json.loads(answer.content)["prefetch"][0]["where"]["and"][0]["href_matches"]
    pathnames = {one["pathname"] for one in places}
    assert len(pathnames) == len(PREFETCHED)
    assert {"/staff/", "/staff/studies/:pk/", "/staff/environments/:code/baseline/"} <= pathnames
    assert pathnames.isdisjoint({"/staff/environments/:code/", "/staff/attempts/:pk/", "/staff/wall/"})
