"""The editor of a card in a real browser: pasting, saving, two tabs, a dead network."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, expect

from playtest.people.roles import Role
from playtest.rules.cards import sketch_text
from playtest.studio.models import CardRevision, SpecificationCard
from playtest.studio.services.cards import create_card, save_revision, sign_off
from tests.accessibility import violations
from tests.browsing import ORIGIN, browse, settled
from tests.staff import signed_in, staff
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
    editor.get_by_label("Game").fill("Sokoban")
    editor.get_by_label("What is new here").fill("Nothing is pushed.")
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
    editor.locator("[data-list=sketches] > li").get_by_role("button", name="Remove").click()
    editor.get_by_role("button", name="Put it back").click()

    editor.goto(f"{ORIGIN}{reverse('studio:card', args=['qz42'])}")
    assert violations(settled(editor)) == []
    assert not editor.evaluate("document.documentElement.scrollWidth > innerWidth")
    expect(editor.get_by_role("heading", level=1)).to_have_text("qz42 Walk is signed by 0 of 2")
    assert editor.locator("level-sketch canvas").evaluate(
        "canvas => [...canvas.getContext('2d').getImageData(9, 9, 1, 1).data]"
    ) == [0x1E, 0x93, 0xFF, 0xFF]


def test_nothing_is_lost_without_a_network_or_by_a_reload(editor: Page) -> None:
    editor.context.set_offline(True)
    editor.get_by_label("Concept").fill("Written in a tunnel.")
    editor.get_by_role("button", name="Save revision").click()
    notices = editor.locator("#card-notices")
    expect(notices).to_contain_text("server_unreachable")
    expect(notices).to_contain_text("kept in this browser")
    editor.context.set_offline(False)
    expect(editor.locator("#card-status")).to_have_text("Saved as revision 2.")
    expect(notices).to_be_empty()

    editor.get_by_label("Concept").fill("Not saved.")
    editor.reload()
    expect(notices).to_contain_text("is restored; it is not saved yet")
    expect(editor.get_by_label("Concept")).to_have_value("Not saved.")
    editor.get_by_role("button", name="Discard it").click()
    expect(editor.get_by_label("Concept")).to_have_value("Written in a tunnel.")
    assert latest()["concept"] == "Written in a tunnel."


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

    open_editor(editor)
    editor.get_by_label("Concept").fill("Of the third tab.")
    editor.evaluate("sessionStorage.clear()")
    open_editor(editor)
    expect(notices).to_contain_text("unsaved changes from another tab")
    editor.get_by_role("button", name="Use them here").click()
    expect(editor.get_by_label("Concept")).to_have_value("Of the third tab.")
    save(editor, 4)


def test_another_member_comments_and_signs(page: Page, card: SpecificationCard) -> None:
    save_revision(card, 1, content(), card.author)
    browse(page, signed_in(Role.ENGINEER))
    page.goto(f"{ORIGIN}{reverse('studio:cards')}")
    assert violations(settled(page)) == []
    page.get_by_role("link", name="qz42").click()
    page.get_by_label("Comment on revision 2").fill("Show the pits.")
    page.get_by_role("button", name="Add comment").click()
    expect(page.locator(".comment")).to_contain_text("Show the pits.")
    page.get_by_role("button", name="Sign revision 2").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("qz42 Walk is signed by 1 of 2")
    page.get_by_role("button", name="Withdraw my sign-off").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("qz42 Walk is signed by 0 of 2")
    expect(page.locator("ol[reversed]")).to_contain_text("withdrawn")
