"""Help with a page: its keys and terms, and times that are relative while recent."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from playtest.people.glossary import GLOSSARY, parsed, sections
from playtest.people.roles import Role
from playtest.play.clock import now
from playtest.play.models import Study
from tests import make
from tests.accessibility import violations
from tests.browsing import ORIGIN, browse, settled
from tests.staff import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def test_every_row_of_the_glossary_is_a_term_of_the_help() -> None:
    rows = [line for line in GLOSSARY.read_text().splitlines() if re.match(r"\| (?!term \||---)", line)]
    assert sum(len(section.terms) for section in sections()) == len(rows) > 100


def test_a_meaning_is_plain_text() -> None:
    text = "## Play\n\n| term | meaning |\n| --- | --- |\n| `a` | one | two ([b](c)); three |\n"
    (section,) = parsed(text)
    assert section.title == "Play"
    assert section.terms == [("a", "one | two; three")]


def test_the_help_page_has_all_terms() -> None:
    text = signed_in(Role.PROCTOR).get(reverse("people:help")).content.decode()
    assert all(f"<dt>{one.term}</dt>" in text for one in sections()[0].terms)
    assert reverse("people:handbook") in text


def test_a_question_mark_shows_the_terms_and_keys_of_the_page(page: Page) -> None:
    make.study()
    browse(page, signed_in(Role.RESEARCHER))
    page.goto(f"{ORIGIN}{reverse('play:studies')}")
    settled(page)
    page.keyboard.press("?")
    help_ = page.get_by_role("dialog", name="Keys of this page")
    expect(help_.get_by_role("term").filter(has_text=re.compile("^study$"))).to_be_visible()
    expect(help_.get_by_text("sort by the heading")).to_be_visible()
    expect(help_.get_by_role("term").filter(has_text=re.compile("^heat map$"))).to_have_count(0)
    expect(help_.get_by_role("link", name="Handbook")).to_have_attribute("href", reverse("people:handbook"))
    assert violations(page) == []
    page.keyboard.press("Escape")
    expect(help_).to_be_hidden()
    page.get_by_role("link", name="Keys and terms of this page").click()
    expect(help_).to_be_visible()


def test_a_question_mark_in_a_field_is_a_letter(page: Page) -> None:
    browse(page, signed_in(Role.RESEARCHER))
    page.goto(f"{ORIGIN}{reverse('play:study-new')}")
    settled(page)
    field = page.get_by_label("Name").first
    field.focus()
    page.keyboard.press("?")
    expect(field).to_have_value("?")
    expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.browser_context_args(timezone_id="Asia/Tokyo", locale="en-GB")
def test_a_recent_time_is_relative_and_exact_on_hover_and_on_paper(page: Page) -> None:
    study = make.study()
    begun = now() - timedelta(minutes=12, seconds=20)
    Study.objects.filter(pk=study.pk).update(created_at=begun)
    browse(page, signed_in(Role.RESEARCHER))
    page.goto(f"{ORIGIN}{reverse('play:studies')}")
    shown = page.locator("tbody time")
    expect(shown).to_have_text("12 min ago")
    in_tokyo = f"{(begun.hour + 9) % 24:02}:{begun.minute:02}"
    expect(shown).to_have_attribute("title", re.compile(rf"{in_tokyo}:{begun.second:02}\n.*\+00:00$"))
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(shown).to_contain_text(in_tokyo)
