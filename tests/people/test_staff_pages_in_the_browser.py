"""Staff pages in a real browser: accessibility, narrow screens, sorting and times."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, expect

from playtest.people.roles import Role
from playtest.rules.pipeline import Need
from playtest.studio.services.waivers import waive
from tests import make
from tests.accessibility import violations
from tests.browsing import ORIGIN, browse
from tests.staff import signed_in, staff

pytestmark = pytest.mark.django_db


def check(page: Page) -> list[str]:
    """What axe finds in light and dark, and whether the page is wider than the screen."""
    found = violations(page)
    if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
        found.append("wider than the screen")
    return found


def test_the_sign_in_page_is_accessible_with_an_error_on_it(page: Page) -> None:
    browse(page, Client())
    page.goto(f"{ORIGIN}/staff/sign-in/")
    page.get_by_label("Name").fill("lead")
    page.get_by_label("Password").fill("wrong")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("invalid_login")
    assert check(page) == []


def test_a_table_sorts_by_its_headings_and_its_address_stores_the_order(page: Page) -> None:
    for name in ("B 10", "A 9", "B 2"):
        make.study(name=name)
    browse(page, signed_in(Role.RESEARCHER))
    page.goto(f"{ORIGIN}{reverse('play:studies')}")
    names = page.locator("tbody tr > :first-child")
    page.get_by_role("button", name="Name").click()
    expect(names).to_have_text(["A 9", "B 2", "B 10"])
    page.get_by_role("button", name="Name").click()
    expect(names).to_have_text(["B 10", "B 2", "A 9"])
    expect(page.get_by_role("columnheader", name="Name")).to_have_attribute("aria-sort", "descending")
    page.goto(page.url)
    expect(names).to_have_text(["B 10", "B 2", "A 9"])
    names.first.evaluate("cell => { cell.dataset.value = ''; }")  # an empty cell is last in either direction
    for others in (["A 9", "B 2"], ["B 2", "A 9"]):
        page.get_by_role("button", name="Name").click()
        expect(names).to_have_text([*others, "B 10"])
    names.last.evaluate(
        "cell => { delete cell.dataset.value; cell.textContent = '\N{EN DASH}'; }"
    )  # as a dash is
    for others in (["A 9", "B 2"], ["B 2", "A 9"]):
        page.get_by_role("button", name="Name").click()
        expect(names).to_have_text([*others, "\N{EN DASH}"])


@pytest.mark.browser_context_args(timezone_id="Asia/Tokyo", locale="en-GB")
def test_times_are_in_the_viewers_zone_with_the_exact_time_on_hover(page: Page) -> None:
    study = make.study()
    study.created_at -= timedelta(hours=2)
    study.save()
    browse(page, signed_in(Role.RESEARCHER))
    page.goto(f"{ORIGIN}{reverse('play:studies')}")
    shown = page.locator("tbody time")
    utc = page.evaluate("(text) => new Date(text).getUTCHours()", study.created_at.isoformat())
    expect(shown).to_contain_text(f"{(utc + 9) % 24:02}:{study.created_at.minute:02}")
    expect(shown).to_have_attribute("title", study.created_at.isoformat(sep=" ", timespec="milliseconds"))


def test_a_fresh_code_is_gone_after_a_reload_and_no_other_is_made(page: Page) -> None:
    make.study()
    browse(page, signed_in(Role.PROCTOR))
    page.goto(f"{ORIGIN}{reverse('center:sessions')}")
    page.get_by_role("button", name="New session").press("Space")  # a link, but announced as a button
    page.get_by_role("button", name="Create session").click()
    code = page.locator("output").text_content()
    assert code is not None
    page.wait_for_url(re.compile(r"/sessions/\d+/$"))  # a reload before: tests/center/test_session_pages.py
    page.reload()
    expect(page.locator("h1")).to_contain_text("has not checked in")
    assert code not in page.content()
    assert page.url == f"{ORIGIN}{reverse('center:sessions')}{page.url.rsplit('/', 2)[1]}/"


def test_ending_a_session_asks_for_confirmation(page: Page) -> None:
    session = make.session(make.study())
    browse(page, signed_in(Role.PROCTOR))
    page.goto(f"{ORIGIN}{reverse('center:session', args=[session.pk])}")
    expect(page.get_by_role("button", name="End session")).to_be_hidden()
    page.get_by_text("End this session").click()
    page.get_by_role("button", name="End session").click()
    expect(page.locator("h1")).to_contain_text("ended: staff ended it")


def test_a_form_that_is_refused_keeps_what_was_typed_and_the_next_one_is_empty(page: Page) -> None:
    walk, lead = make.environment(), staff(Role.LEAD)
    browse(page, signed_in(Role.LEAD))
    page.goto(f"{ORIGIN}{reverse('studio:environment', args=[walk.code])}")
    page.get_by_text("Waivers: 0").click()
    page.get_by_text("Waive a requirement").click()
    page.locator("#what-waive").select_option(Need.PLAYED)
    page.locator("#why-waive").fill("Nobody was here.")
    waive(walk, Need.PLAYED, "Everybody is ill.", lead)  # by somebody else, in between
    page.get_by_role("button", name="Waive it").click()
    refusal = page.locator("#waivers").get_by_role("alert")
    expect(refusal).to_contain_text("waiver_stands")
    expect(page.locator("#why-waive")).to_have_value("Nobody was here.")
    expect(page.locator("#why-waive")).to_be_focused()
    expect(page.locator("#what-waive")).to_have_value("")  # what stands is not offered again
    page.locator("#what-waive").select_option(Need.QUALIFIED)
    page.get_by_role("button", name="Waive it").click()
    expect(page.get_by_role("status").filter(has_text="Saved.")).to_be_visible()
    expect(page.locator("#why-waive")).to_have_value("")
    page.reload()
    expect(page.locator("#why-waive")).to_have_value("")
