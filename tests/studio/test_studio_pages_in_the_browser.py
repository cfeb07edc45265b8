"""The editor of a card, uploads and pictures with patterns in a real browser."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Dialog, Locator, Page, expect
from pytest_django import Settings

from playtest.people.roles import Role
from playtest.rules.cards import sketch_text
from playtest.studio.models import CardRevision, Import, SpecificationCard
from playtest.studio.services import imports, load_environments
from playtest.studio.services.cards import create_card, save_revision, sign_off
from tests import make
from tests.accessibility import violations
from tests.browsing import ORIGIN, browse, settled
from tests.insight.games_folder import with_walk
from tests.make_tasks import play_task, small_task, submitted
from tests.staff import BACKEND, signed_in, staff
from tests.studio.sketch_texts import CELLS, READ, REFUSED, content

pytestmark = pytest.mark.django_db


NARROW: Any = {"width": 390, "height": 800}
READ_TEXTS = """async (texts) => {
    const { digitsOf, problemOf } = await import("/static/studio/cards/sketch.js");
    return texts.map((text) => problemOf(text) || digitsOf(text));
}"""


@pytest.fixture
def card() -> SpecificationCard:
    return create_card("qz42", "Walk", staff(Role.DESIGNER))


@pytest.fixture
def editor(page: Page, card: SpecificationCard) -> Iterator[Page]:
    """The editor in a narrow window; an error of a script fails the test."""
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.set_viewport_size(NARROW)
    browse(page, signed_in(Role.DESIGNER))
    open_editor(page)
    yield page
    assert errors == []


def open_editor(page: Page) -> None:
    page.goto(f"{ORIGIN}{reverse('studio:card-edit', args=['qz42'])}")
    expect(page.get_by_role("button", name="Add a sketch")).to_be_visible()
    settled(page)


def latest() -> dict[str, Any]:
    found: dict[str, Any] = CardRevision.objects.latest("number").content
    return found


def save(page: Page, revision: int) -> None:
    page.get_by_role("button", name="Save revision").click()
    expect(page.locator("#card-status")).to_have_text(f"Saved as revision {revision}.")


def test_pasted_text_is_read_as_on_the_server(page: Page) -> None:
    browse(page, Client())
    page.goto(f"{ORIGIN}/static/studio/cards/sketch.js")
    assert page.evaluate(READ_TEXTS, list(READ.values())) == [CELLS] * len(READ)
    assert page.evaluate(READ_TEXTS, list(REFUSED)) == list(REFUSED.values())


def test_a_card_is_written_drawn_saved_and_read(editor: Page) -> None:
    assert violations(editor) == []
    editor.get_by_label("Concept").fill("Walk to the ring.")
    for level, name in enumerate(("walls", "pits"), 1):
        editor.get_by_role("button", name="Add a mechanic").click()
        row = editor.locator("[data-list=mechanics] > li").last
        expect(row.get_by_label("Level")).to_have_value(str(level))
        row.get_by_label("Mechanic").fill(name)
        row.get_by_label("What it does").fill(f"What {name} do.")
    editor.get_by_label("gravity").check()
    editor.get_by_label("up, down, left, right").check()
    editor.get_by_role("button", name="Add a known game").click()
    editor.get_by_label("Game", exact=True).fill("Sokoban")
    editor.get_by_label("What is new here").fill("Nothing is pushed.")
    searched = "Lists of games with walls and pits, by their tags."
    editor.get_by_label("How you searched").fill(searched)
    editor.get_by_role("button", name="Add a sketch").click()
    field = editor.get_by_label("64 lines of 64 colours")
    field.fill(sketch_text(CELLS).replace("0", "g", 1))
    wrong = "In line 1, column 1 is “g”: a colour is one of 0-9 and a-f. (sketch_digit)"
    expect(editor.locator("[data-list=sketches] [role=status]")).to_have_text(wrong)
    editor.get_by_role("button", name="Save revision").click()
    expect(field).to_be_focused()
    field.fill(sketch_text(CELLS))
    assert violations(settled(editor)) == []
    assert not editor.evaluate("document.documentElement.scrollWidth > innerWidth")
    save(editor, 2)
    expect(editor.locator("#card-missing")).to_be_hidden()
    assert latest()["mechanics"][1] == {"name": "pits", "level": 2, "description": "What pits do."}
    assert latest()["sketches"] == [{"level": 1, "caption": "", "cells": CELLS}]
    assert latest()["searched"] == searched
    editor.locator("[data-list=sketches] > li").get_by_role("button", name="Remove").click()
    editor.get_by_role("button", name="Put it back").click()

    editor.goto(f"{ORIGIN}{reverse('studio:card', args=['qz42'])}")
    assert not editor.evaluate("document.documentElement.scrollWidth > innerWidth")
    expect(editor.get_by_role("heading", level=1)).to_have_text("qz42 Walk is signed by 0 of 2")
    assert editor.locator("level-sketch canvas").evaluate(
        "canvas => [...canvas.getContext('2d').getImageData(9, 9, 1, 1).data]"
    ) == [0x1E, 0x93, 0xFF, 0xFF]


def test_what_cannot_be_saved_stays_on_the_page_which_asks_before_it_is_left(editor: Page) -> None:
    editor.context.set_offline(True)
    editor.get_by_label("Concept").fill("Written in a tunnel.")
    editor.get_by_role("button", name="Save revision").click()
    notices = editor.locator("#card-notices")
    expect(notices).to_contain_text("server_unreachable")
    editor.context.set_offline(False)
    asked: list[str] = []

    def accept(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.accept()

    editor.on("dialog", accept)
    save(editor, 2)
    expect(notices).to_be_empty()
    editor.reload()
    expect(editor.get_by_label("Concept")).to_have_value("Written in a tunnel.")
    assert asked == [], "everything was saved"
    editor.get_by_label("Concept").fill("Not saved.")
    editor.reload()
    assert asked == ["beforeunload"]
    expect(editor.get_by_label("Concept")).to_have_value("Written in a tunnel.")


def test_two_tabs_cannot_overwrite_each_other(editor: Page, card: SpecificationCard) -> None:
    editor.get_by_label("Concept").fill("Of the first tab.")
    save_revision(card, 1, content(concept="Of the second tab."), card.author)
    sign_off(card, 2, staff(Role.LEAD))
    editor.get_by_role("button", name="Save revision").click()
    notices = editor.locator("#card-notices")
    expect(notices).to_contain_text("Revision 2 was saved after you began from revision 1")
    assert latest()["concept"] == "Of the second tab."
    editor.get_by_role("button", name="Save mine after revision 2").click()
    expect(editor.locator("#card-status")).to_have_text("Saved as revision 3.")
    assert latest()["concept"] == "Of the first tab."
    editor.goto(f"{ORIGIN}{reverse('studio:card', args=['qz42'])}")
    expect(editor.locator("ol[reversed]")).to_contain_text("lapsed when the card changed")


def test_another_member_comments_and_signs(page: Page, card: SpecificationCard) -> None:
    save_revision(card, 1, content(), card.author)
    browse(page, signed_in(Role.ENGINEER))
    page.goto(f"{ORIGIN}{reverse('studio:cards')}")
    page.get_by_role("link", name="qz42").click()
    page.get_by_label("Comment on revision 2").fill("Show the pits.")
    page.get_by_role("button", name="Add comment").click()
    expect(page.locator(".comment")).to_contain_text("Show the pits.")
    page.get_by_role("button", name="Sign revision 2").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("qz42 Walk is signed by 1 of 2")
    page.get_by_role("button", name="Withdraw my sign-off").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("qz42 Walk is signed by 0 of 2")
    expect(page.locator("ol[reversed]")).to_contain_text("withdrawn")


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
    page.get_by_label("An archive").set_input_files([folder / "wk01.py", folder / "metadata.json"])
    page.get_by_label("What changed").fill("A yellow goal")
    page.get_by_role("button", name="Upload").press("Enter")
    expect(page.get_by_role("heading")).to_have_text("The upload is being tried")
    imports.do_import(Import.objects.get().pk)
    expect(page.get_by_role("heading")).to_have_text("1 environment waiting for approval")

    client.force_login(staff(Role.LEAD), backend=BACKEND)
    page.goto(f"{ORIGIN}{reverse('play:studies')}")
    page.get_by_role("link", name="Workshop 1 (1 upload waits for approval)").click()
    page.get_by_role("link", name="1 upload waits for approval", exact=True).click()
    page.get_by_role("link", name="wk01").press("Enter")
    expect(page.get_by_text("A yellow goal")).to_be_visible()
    expect(page.locator(".removed")).to_contain_text(['"G": 14'])
    expect(page.locator(".added").nth(1)).to_contain_text(re.compile("(1234567890, ){40}"))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Decline it").click()
    expect(page.get_by_role("alert")).to_contain_text("reason_missing")
    page.get_by_label("Words for designer").fill("It cannot be told from the light.")
    page.get_by_role("button", name="Decline it").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("upload of wk01 was declined")
    expect(page.get_by_text("It cannot be told from the light.")).to_be_visible()

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
    assert errors == []


STUDIO, RESULTS = (reverse(name, args=["grids-1"]) for name in ("studio:environment", "insight:environment"))
BLUE, BLACK = "9", "5"


@pytest.fixture
def browser_page(page: Page) -> Page:
    study = make.study(pool=[small_task("grids-1", [[1]])])
    play_task(make.session(study), submitted([[1, 0]]), seconds_after=9)
    return browse(page, signed_in(Role.LEAD))


def marks(page: Page) -> Locator:
    return page.locator(".task-grid .marks")


def test_patterns_are_off_at_first_and_stay_as_chosen_on_all_pages(browser_page: Page) -> None:
    page = browser_page
    page.goto(f"{ORIGIN}{STUDIO}")
    button = page.get_by_role("button", name="Colour patterns")
    expect(button).to_have_attribute("aria-pressed", "false")
    expect(marks(page)).to_have_count(0)
    cells = page.locator(".task-grid path[data-colour]").count()
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(marks(page)).to_have_count(cells)
    page.goto(f"{ORIGIN}{RESULTS}")
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(marks(page).first).to_be_attached()
    shown = marks(page).count()
    page.evaluate("document.querySelectorAll('#task-wrong .marks').forEach((mark) => mark.remove())")
    expect(marks(page)).to_have_count(shown)
    button.click()
    expect(marks(page)).to_have_count(0)
    page.reload()
    expect(button).to_have_attribute("aria-pressed", "false")


def test_each_colour_has_the_marks_of_the_board_and_black_has_none(browser_page: Page) -> None:
    page = browser_page
    page.goto(f"{ORIGIN}{RESULTS}")
    page.get_by_role("button", name="Colour patterns").click()
    wrong = page.locator(".wrong-outputs .task-grid")
    for colour, rectangles in ((BLUE, 8), (BLACK, 0)):
        cells = wrong.locator(f"path[data-colour='{colour}']")
        name = f"marks-of-{colour}"
        expect(cells.locator("xpath=following-sibling::*[1]")).to_have_attribute("fill", f"url(#{name})")
        expect(page.locator(f"#{name} rect")).to_have_count(rectangles)
