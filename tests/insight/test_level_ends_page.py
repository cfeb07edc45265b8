"""How people of one fate ended a level, side by side, and a level's picture."""

import re
from html import unescape

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, expect

from playtest.insight.pages.environment.first_frames import first_frame
from playtest.people.roles import Role
from playtest.play.models import Study
from playtest.review.models import DecisionKind
from playtest.rules.attempt import Outcome
from tests import make
from tests.browsing import ORIGIN, browse
from tests.insight.test_environment_page import funnel, plays
from tests.live.games import WALK
from tests.review.cases import settled
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]


ENDS = "/staff/environments/wk01/levels/2/ends/"


@pytest.fixture
def study() -> Study:
    return make.study(people=100)


def people(client: Client, fate: str = "", **query: str | int) -> set[str]:
    page = client.get(ENDS, {"fate": fate, **query}).content.decode()
    return set(re.findall(r'#end=2">([^<]+)</a>', unescape(page)))


def test_the_people_are_those_of_the_funnel_with_any_scope(designer: Client, study: Study) -> None:
    solved, gave_up, timed_out, cut = (
        plays(study, WALK, Outcome.COMPLETED),
        plays(study, WALK[:4]),
        plays(study, WALK[:5], Outcome.TIMED_OUT),
        plays(study, WALK[:5]),
    )
    at_once = make.play(make.session(study), WALK[:4])
    rehearsal = plays(make.study(rehearsal=True, people=5), WALK[:4])
    excluded = plays(study, WALK[:4])
    lead = staff(Role.LEAD)
    settled(cut.session, lead, DecisionKind.EXCLUDE_FROM, "disturbed", attempt_id=cut.pk, from_seq=36)
    settled(excluded.session, lead, DecisionKind.EXCLUDE_SESSION, "did_not_try")
    names = {one: one.participant.label for one in (solved, gave_up, timed_out, cut, at_once, excluded)}
    assert people(designer) == {names[gave_up], names[timed_out], names[at_once]}
    assert people(designer, "gave_up") == {names[gave_up]}
    assert people(designer, "left_at_once") == {names[at_once]}
    assert people(designer, "completed") == {names[solved]}
    assert people(designer, "gave_up", excluded="with") == {names[one] for one in (gave_up, cut, excluded)}
    assert people(designer, study=rehearsal.session.study_id) == {rehearsal.participant.label}
    for (level, outcome), count in funnel(designer).items():
        if level == 2:
            assert len(people(designer, outcome)) == count, outcome


def test_a_page_has_twelve_people_and_who_may_not_watch_is_refused(designer: Client, study: Study) -> None:
    for _ in range(13):
        plays(study, WALK[:4])
    first, second = people(designer), people(designer, page=2)
    assert (len(first), len(second), len(first | second)) == (12, 1, 13)
    assert "Where 13 people left level 2" in designer.get(ENDS).content.decode()
    assert designer.get(ENDS, {"fate": "none"}).status_code == 404
    assert designer.get("/staff/environments/wk01/levels/7/ends/").status_code == 404
    assert signed_in(Role.ENGINEER).get(ENDS).status_code == 403
    assert "No attempt to show" in designer.get(ENDS, {"fate": "timed_out"}).content.decode()


def test_all_boards_play_together_and_end_at_the_same_moment(
    page: Page, designer: Client, study: Study
) -> None:
    slow = make.play(make.session(study), [*WALK[:3], *[2, 1] * 8], seconds_an_action=3)
    quick = make.play(make.session(study), [*WALK[:3], 2, 1, 2], seconds_an_action=1)
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    browse(page, designer)
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(f"{ORIGIN}{ENDS}?fate=left_at_once")
    status = page.locator("level-ends output")
    expect(status).to_have_text("the end")
    boards = {
        attempt: page.locator("li", has_text=attempt.participant.label).locator(".last-action")
        for attempt in (slow, quick)
    }
    for board in boards.values():
        board.scroll_into_view_if_needed()
    expect(boards[slow]).to_contain_text("up")
    expect(boards[quick]).to_contain_text("down")
    page.keyboard.press("ArrowLeft")
    expect(status).to_have_text("1.0 s before the end")
    expect(boards[slow]).to_contain_text("down")
    expect(boards[quick]).to_contain_text("up")
    page.keyboard.press("Home")
    expect(status).to_have_text("20.0 s before the end")
    expect(boards[quick]).to_contain_text("right")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.locator("level-ends").get_by_label("Time").fill("18.5")
    expect(status).to_have_text("1.5 s before the end")
    expect(boards[quick]).to_contain_text("down")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert said == []


LEVELS = "/staff/environments/wk01/levels"


def test_the_picture_of_an_unseen_level_is_made_by_starting_it(designer: Client) -> None:
    cache.clear()  # first frames are kept by the digest of a version, which other tests play
    make.environment()
    last, none = (designer.get(f"{LEVELS}/{level}.png") for level in (6, 7))
    assert last.content.startswith(b"\x89PNG")
    assert none.status_code == 404
    version = make.environment().current
    assert version is not None
    shown = first_frame(version, 6)
    assert shown is not None
    assert {int(cell) for cell in shown.flat} >= {8, 9, 14}  # a pit, the player, the goal


def test_a_levels_picture_is_its_first_frame(designer: Client) -> None:
    attempt = make.play(make.session(make.study()), WALK, Outcome.COMPLETED)
    pictures = {level: designer.get(f"{LEVELS}/{level}.png") for level in (1, 2)}
    assert all(picture.content.startswith(b"\x89PNG") for picture in pictures.values())
    assert pictures[1].content != pictures[2].content
    replay = designer.get(reverse("review:picture", args=[attempt.pk]), {"action": 3, "scale": 4})
    assert pictures[2].content == replay.content
