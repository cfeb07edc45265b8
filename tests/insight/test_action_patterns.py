"""Action patterns: the page agrees with the attempts' official recordings, counted plainly."""

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Page, expect

from playtest.insight.compute.results import bring_up_to_date
from playtest.insight.pages.action_patterns import reading
from playtest.insight.pages.action_patterns.reading import PatternCache, patterns_on
from playtest.insight.scope import EVERYONE
from playtest.insight.tables.version import VersionResults, version_results
from playtest.people.roles import Role
from playtest.play.models import Attempt, Entry, Study
from playtest.review.models import DecisionKind
from tests import make
from tests.browsing import ORIGIN, browse
from tests.review.cases import settled
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

LAMP = (5, 22)
PAGE = "/staff/environments/ck01/levels/{}/tried/"


@pytest.fixture(autouse=True)
def empty_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """Attempts of other tests had the same numbers."""
    monkeypatch.setattr(reading, "CACHE", PatternCache())


@pytest.fixture
def study() -> Study:
    return make.study("ck01", people=100)


def plays(study: Study, acts: list[Any], **how: Any) -> Attempt:
    return make.play(make.session(study), acts, **how)


def results() -> VersionResults:
    bring_up_to_date(Attempt.objects.all())
    return version_results(make.environment("ck01").current, EVERYONE)  # type: ignore[arg-type]


def test_only_the_people_of_the_scope_count(designer: Client, study: Study) -> None:
    plays(study, [(1, 1)] * 3)
    out = plays(study, [(1, 1)] * 3)
    settled(out.session, staff(Role.LEAD), DecisionKind.EXCLUDE_SESSION, "did_not_try")
    rehearsal = plays(make.study("ck01", rehearsal=True, people=5), [(1, 1)] * 4)
    page = PAGE.format(1)
    assert "3 actions of 1 person on the level; 3 changed nothing" in text(designer, page)
    assert "6 actions of 2 people" in text(designer, page, excluded="with")
    assert "4 actions of 1 person" in text(designer, page, study=rehearsal.session.study_id)
    assert "Nobody has reached level 2 yet" in text(designer, PAGE.format(2))
    assert designer.get(PAGE.format(9)).status_code == 404
    assert "1 person, 3 clicks first at 1, 1" in text(designer, page)


def test_who_may_not_watch_sees_names_without_replays(study: Study) -> None:
    attempt = plays(study, [(1, 1)] * 3)
    page = signed_in(Role.ENGINEER).get(PAGE.format(1)).content.decode()
    assert attempt.participant.label in page
    assert "/staff/attempts/" not in page
    lead = signed_in(Role.LEAD).get(PAGE.format(1)).content.decode()
    assert f"/staff/attempts/{attempt.pk}/#action=3" in lead
    assert f"/staff/attempts/{attempt.pk}/moment.png?action=0" in lead


def test_many_journals_are_read_a_part_at_a_time_and_an_open_level_again(study: Study) -> None:
    attempts = [plays(study, [(1, 1)] * 3) for _ in range(3)]
    opened = plays(study, [(1, 1)], outcome=None)
    assert [patterns_on(results(), 1, 0).unread for _ in range(4)] == [3, 2, 1, 0]
    assert patterns_on(results(), 1, 0).people[opened.pk].actions == 1
    newest = opened.entries.values().get(seq=1)
    Entry.objects.bulk_create([Entry(**newest | {"id": None, "seq": 2})])
    assert patterns_on(results(), 1, 0).people[opened.pk].actions == 2
    assert patterns_on(results(), 1, 0).people[attempts[0].pk].actions == 3


def test_a_damaged_journal_is_told_and_the_others_are_shown(designer: Client, study: Study) -> None:
    plays(study, [(1, 1)] * 3)
    damaged = plays(study, [(1, 1)], outcome=None)
    newest = damaged.entries.values().get(seq=1)
    Entry.objects.bulk_create([Entry(**newest | {"id": None, "seq": 2, "frames": b"none"})])
    page = text(designer, PAGE.format(1))
    assert "The journals of 1 person cannot be read" in page
    assert "3 actions of 1 person on the level" in page


def text(client: Client, address: str, **query: str | int) -> str:
    answer = client.get(address, query)
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())))


def test_the_tree_opens_by_keyboard_and_leads_to_replays(
    page: Page, designer: Client, study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading.patterns_on, "__defaults__", (0.0,))
    first = plays(study, [(1, 1), (1, 1), (40, 40), LAMP])
    for acts in ([(1, 1), (1, 1), 7], [(1, 1), (1, 1), 0], [LAMP]):
        plays(study, acts)
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    browse(page, designer)
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(f"{ORIGIN}{PAGE.format(1)}")
    expect(page.locator("h1")).to_have_text("Level 1: 4 people began in 2 ways")
    expect(page.locator("live-parts")).to_have_count(0)
    branch = page.locator(".tree summary").first
    expect(branch).to_contain_text("3 people, 75 %")
    leaf = page.locator(".tree").get_by_role("link", name=first.participant.label).last
    expect(leaf).to_be_visible()
    branch.focus()
    page.keyboard.press("Enter")
    expect(leaf).to_be_hidden()
    page.keyboard.press("Enter")
    expect(page.locator(".dead li")).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    leaf.click()
    page.wait_for_url(re.compile(rf"/staff/attempts/{first.pk}/#action=4$"))
    expect(page.locator("replay-player")).to_have_attribute("data-seq", "4")
    assert said == []
