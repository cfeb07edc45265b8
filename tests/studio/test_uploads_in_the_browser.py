"""In a browser: a designer uploads a version, the lead reads what changed and declines it with words."""

import re
from pathlib import Path

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django import Settings

from playtest.people.roles import Role
from playtest.studio.models import Import
from playtest.studio.services import imports, load_environments
from tests.accessibility import violations
from tests.browsing import ORIGIN, browse, settled
from tests.insight.games_folder import with_walk
from tests.staff import BACKEND, signed_in, staff

pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(tmp_path: Path, settings: Settings) -> Path:
    """wk01 as it is imported, then changed: another colour, and a line that is wider than the screen."""
    settings.DATA_DIR = tmp_path / "data"
    folder = with_walk(tmp_path / "games")
    load_environments(folder)
    source = (folder / "wk01.py").read_text().replace('"G": 14', '"G": 11')
    (folder / "wk01.py").write_text(source.replace("MOVES =", f"NOTHING = ({'1234567890, ' * 40})\nMOVES ="))
    return folder


def test_the_lead_reads_what_changed_and_the_designer_the_answer(page: Page, folder: Path) -> None:
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.set_viewport_size({"width": 390, "height": 800})
    client = signed_in(Role.DESIGNER)
    browse(page, client)
    page.goto(f"{ORIGIN}{reverse('insight:board')}")
    page.get_by_role("button", name="Upload a version").press("Enter")
    sound(page)
    page.get_by_label("An archive").set_input_files([folder / "wk01.py", folder / "metadata.json"])
    page.get_by_label("What changed").fill("A yellow goal")
    page.get_by_role("button", name="Upload").press("Enter")
    expect(page.get_by_role("heading")).to_have_text("The upload is being tried")
    sound(page)
    imports.do_import(Import.objects.get().pk)
    expect(page.get_by_role("heading")).to_have_text("1 environment waiting for approval")
    sound(page)

    client.force_login(staff(Role.LEAD), backend=BACKEND)
    page.goto(f"{ORIGIN}{reverse('play:studies')}")
    page.get_by_role("link", name="Workshop 1 (1 upload to approve)").click()
    page.get_by_role("link", name="1 upload to approve", exact=True).click()
    sound(page)
    page.get_by_role("link", name="wk01").press("Enter")
    sound(page)
    expect(page.get_by_text("A yellow goal")).to_be_visible()
    expect(page.locator(".removed")).to_contain_text(['"G": 14'])
    expect(page.locator(".added").nth(1)).to_contain_text(re.compile("(1234567890, ){40}"))
    page.get_by_role("button", name="Decline it").click()
    expect(page.get_by_role("status")).to_contain_text("reason_missing")
    page.get_by_label("Words for designer").fill("It cannot be told from the light.")
    page.get_by_role("button", name="Decline it").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("upload of wk01 was declined")
    expect(page.get_by_text("It cannot be told from the light.")).to_be_visible()
    sound(page)

    client.force_login(staff(Role.DESIGNER), backend=BACKEND)
    page.goto(f"{ORIGIN}{reverse('studio:environment', args=['wk01'])}")
    page.get_by_role("link", name="Workshop 1 (1 upload decided)").click()
    page.get_by_role("link", name="1 upload decided", exact=True).click()
    expect(page.get_by_text("new", exact=True)).to_be_visible()
    page.get_by_role("link", name="wk01").click()
    expect(page.get_by_text("It cannot be told from the light.")).to_be_visible()
    page.go_back()
    page.reload()
    expect(page.get_by_text("new", exact=True)).to_have_count(0)
    sound(page)
    assert errors == []


def sound(page: Page) -> None:
    """Asserts that the page can be read by everybody and fits the screen."""
    assert violations(settled(page)) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
