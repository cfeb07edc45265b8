"""Guided tours: every step is a page that its reader may open, and the address is all the state there is."""

from collections.abc import Callable
from itertools import pairwise

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, expect

from playtest.people.models import Staff
from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.people.tour import Link, links_to, steps_of, tour_named, tours_for
from playtest.play.clock import now
from playtest.play.models import Attempt, Study
from playtest.play.sessions.attempts import end_attempt
from playtest.rules.attempt import Outcome
from playtest.studio.services.cards import create_card_of
from tests import sittings
from tests.accessibility import violations
from tests.browsing import ORIGIN, browse, settled
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

HOME = reverse("people:home")
STEPS = {
    ("participant", Role.LEAD): 7,
    ("participant", Role.PROCTOR): 5,
    ("participant", Role.RESEARCHER): 6,
    ("participant", Role.DESIGNER): 6,
    ("participant", Role.ENGINEER): 5,
    ("researcher", Role.LEAD): 8,
    ("researcher", Role.RESEARCHER): 8,
    ("researcher", Role.DESIGNER): 5,
    ("researcher", Role.ENGINEER): 3,
    ("designer", Role.LEAD): 8,
    ("designer", Role.RESEARCHER): 8,
    ("designer", Role.DESIGNER): 8,
    ("designer", Role.ENGINEER): 6,
}
SIZES = [{"width": 1280, "height": 800}, {"width": 390, "height": 844}]


@pytest.fixture
def demonstration() -> Study:
    """A rehearsal in which two people left level 1, and one left at once; beside it a real attempt."""
    study = sittings.study(rehearsal=True, name="Demonstration")
    for acts in ([4] * 40, [4] * 45, [4] * 3):
        person = new_participant(simulated=True)
        sittings.play(sittings.sit_down(study, person), acts, Outcome.GAVE_UP)
    create_card_of(study.pool.get(), staff(Role.LEAD))
    sittings.play(sittings.sit_down(sittings.study("ck01", name="Real")), [(1, 1)] * 40)
    return study


def links(name: str, role: Role) -> list[Link]:
    reader = staff(role)
    tour = tour_named(name, reader)
    assert tour is not None
    return links_to(tour, steps_of(tour, reader))


def opened(client: Client, link: Link) -> tuple[str, str]:
    """The page of a step, and its address."""
    if link.begins:
        answer = client.post(link.address, follow=True)
        assert answer.status_code == 200
        return answer.content.decode(), answer.redirect_chain[-1][0]
    answer = client.get(link.address)
    assert answer.status_code == 200, "no step leads elsewhere"
    return answer.content.decode(), link.address


@pytest.mark.parametrize(("name", "role"), STEPS)
def test_each_step_is_a_page_with_its_note_and_the_part_that_it_is_about(
    demonstration: Study, name: str, role: Role
) -> None:
    client, found = signed_in(role), links(name, role)
    assert len(found) == STEPS[name, role]
    for number, link in enumerate(found, start=1):
        page, _ = opened(client, link)
        assert f"step {number} of {len(found)}" in page
        _, _, part = link.address.partition("#")
        assert not part or f' id="{part}"' in page, f"{part} of step {number}"


def test_every_tour_is_tested_for_every_role_that_may_take_it() -> None:
    assert {(tour.name, role) for role in Role for tour in tours_for(staff(role))} == set(STEPS)


def test_a_tour_shows_the_demonstration_even_beside_real_results(demonstration: Study) -> None:
    last = links("designer", Role.LEAD)[-1].address
    longest = Attempt.objects.get(session__study=demonstration, actions=45)
    assert last.startswith(reverse("review:attempt", args=[longest.pk]))
    assert f"study={demonstration.pk}" in links("designer", Role.LEAD)[3].address


def test_an_environment_without_a_card_has_no_step_about_it(demonstration: Study) -> None:
    demonstration.pool.get().card.delete()
    assert len(links("designer", Role.LEAD)) == STEPS["designer", Role.LEAD] - 1


def test_without_anybody_who_played_a_tour_is_what_there_is() -> None:
    assert len(links("participant", Role.LEAD)) == 1
    answer = signed_in(Role.LEAD).get(reverse("people:tour", args=["designer"]), follow=True)
    assert answer.redirect_chain == [(HOME, 302)]
    assert "nothing to show before somebody has played" in answer.content.decode()


@pytest.mark.parametrize(
    "asked", ["", "tour=designer", "tour=designer&step=0", "tour=designer&step=9", "tour=nobody&step=1",
              "tour=designer&step=-1", "tour=designer&step=x", "step=1"],
)  # fmt: skip
def test_an_address_that_asks_for_no_step_shows_no_note(demonstration: Study, asked: str) -> None:
    answer = signed_in(Role.LEAD).get(f"{reverse('insight:board')}?{asked}")
    assert answer.status_code == 200
    assert "tour-note" not in answer.content.decode()


def test_a_page_that_leads_to_the_demonstration_keeps_the_step() -> None:
    study = sittings.study(rehearsal=True)
    sittings.play(sittings.sit_down(study, new_participant(simulated=True)), [4] * 40)
    address = reverse("insight:environment", args=["wk01"])
    answer = signed_in(Role.LEAD).get(f"{address}?tour=designer&step=3", follow=True)
    assert answer.redirect_chain == [(f"{address}?tour=designer&step=3&study={study.pk}", 302)]
    assert "step 3 of" in answer.content.decode()


def test_the_play_of_a_tour_is_gone_on_with_and_keeps_the_note(demonstration: Study) -> None:
    client, board = signed_in(Role.DESIGNER), 4
    before = links("participant", Role.DESIGNER)[board]
    assert before.begins
    page, address = opened(client, before)
    assert "step 5 of 6" in page
    after = links("participant", Role.DESIGNER)[board]
    assert after == Link(address, begins=False)
    end_attempt(Attempt.objects.get(staff=staff(Role.DESIGNER)).pk, Outcome.GAVE_UP, now())
    results = client.get(address, follow=True)
    assert results.redirect_chain[0][0].endswith("/results/?tour=participant&step=5")
    assert "step 5 of 6" in results.content.decode()


def test_participants_never_see_a_note(demonstration: Study, client: Client) -> None:
    assert "tour-note" not in client.get("/?tour=participant&step=1").content.decode()


@pytest.mark.parametrize("role", list(Role))
def test_a_home_offers_the_tours_of_its_role(role: Role) -> None:
    page = signed_in(role).get(HOME).content.decode()
    for name in ("participant", "researcher", "designer"):
        assert (reverse("people:tour", args=[name]) in page) == ((name, role) in STEPS)


def begin(page: Page, title: str) -> None:
    page.goto(f"{ORIGIN}{HOME}")
    page.get_by_role("link", name=title).click()


@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size["width"]))
@pytest.mark.parametrize("name", ["participant", "researcher", "designer"])
def test_a_tour_is_walked_to_its_end(
    page: Page, demonstration: Study, name: str, size: dict[str, int]
) -> None:
    page.set_viewport_size(size)  # type: ignore[arg-type]
    browse(page, signed_in(Role.LEAD))
    begin(page, f"Tour as a {name}")
    count = STEPS[name, Role.LEAD]
    for number in range(1, count + 1):
        note = page.get_by_role("complementary").filter(has_text=f"step {number} of {count}")
        expect(note).to_be_in_viewport(ratio=1)
        settled(page)
        assert violations(page, ".tour-note") == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), page.url
        shows_part(page)
        label = "Finish" if number == count else "Next"
        note.get_by_text(label, exact=True).click()
    expect(page).to_have_url(f"{ORIGIN}{HOME}")


def shows_part(page: Page) -> None:
    """What the note is about stands at least partly above it."""
    visible = """() => {
        const part = document.querySelector(":target");
        const edge = document.querySelector(".tour-note").getBoundingClientRect().top;
        return !part || (part.getBoundingClientRect().top < edge && part.getBoundingClientRect().bottom > 0);
    }"""
    page.wait_for_function(visible)


@pytest.fixture
def third(page: Page, demonstration: Study) -> Callable[[], None]:
    """On the third step of the designer's tour; called, it expects to be there with the focus on the note."""
    browse(page, signed_in(Role.DESIGNER))
    begin(page, "Tour as a designer")
    for number in (1, 2):
        expect(page.get_by_text(f"step {number} of 8")).to_be_visible()
        page.get_by_role("link", name="Next").click()

    def is_there() -> None:
        expect(page.get_by_text("step 3 of 8")).to_be_visible()
        expect(page.locator(".tour-note")).to_be_focused()

    is_there()
    return is_there


def test_a_tour_is_left_with_escape_and_the_browsers_way_back_returns_to_it(
    page: Page, third: Callable[[], None]
) -> None:
    page.keyboard.press("Escape")
    expect(page).to_have_url(f"{ORIGIN}{reverse('studio:environment', args=['wk01'])}")
    expect(page.locator(".tour-note")).to_have_count(0)
    page.go_back()
    third()
    page.reload()
    third()
    page.get_by_role("link", name="Leave the tour").click()
    expect(page.locator(".tour-note")).to_have_count(0)


def test_escape_within_a_field_does_not_leave_the_tour(page: Page, third: Callable[[], None]) -> None:
    page.locator("#nodes").focus()
    page.keyboard.press("Escape")
    expect(page.locator(".tour-note")).to_be_visible()
    page.keyboard.press("Control+k")
    page.keyboard.press("Escape")
    expect(page.locator(".tour-note")).to_be_visible()


def test_a_filter_keeps_the_note_and_the_focus(page: Page, third: Callable[[], None]) -> None:
    page.get_by_role("link", name="Next", exact=True).click()
    expect(page.get_by_text("step 4 of 8")).to_be_visible()
    settled(page)
    page.get_by_label("Excluded results").select_option("with")
    page.wait_for_url("**excluded=with**")
    expect(page.get_by_text("step 4 of 8")).to_be_visible()
    expect(page.get_by_label("Excluded results")).to_be_focused()


def test_two_tabs_take_two_tours(page: Page, third: Callable[[], None]) -> None:
    other = page.context.new_page()
    other.goto(f"{ORIGIN}{reverse('people:tour', args=['participant'])}")
    expect(other.get_by_text("step 1 of 6")).to_be_visible()
    other.get_by_role("link", name="Leave the tour").click()
    expect(other).to_have_url(f"{ORIGIN}{HOME}")
    page.reload()
    third()


def test_without_a_script_a_tour_is_walked_by_its_links(demonstration: Study) -> None:
    client, reader = signed_in(Role.LEAD), Staff.objects.get(role=Role.LEAD)
    (tour,) = (one for one in tours_for(reader) if one.name == "designer")
    all_links = links_to(tour, steps_of(tour, reader))
    for before, link in pairwise(all_links):
        page, _ = opened(client, before)
        assert link.address.replace("&", "&amp;") in page
