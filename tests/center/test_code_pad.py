"""A code is entered where there is no keyboard, or as it was read aloud."""

import random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from playtest.rules.codes import ALPHABET, new_code, normalise, spell
from tests.play.browser.conftest import open_bare

PAGE = """async (characters) => {
    document.body.innerHTML = '<main class="column"><form class="welcome"><h1>Enter your code</h1>'
        + '<input id="code" class="code"><code-pad></code-pad></form></main>';
    document.querySelector("code-pad").dataset.characters = characters;
    document.querySelector("#code").focus();
    await import("/static/center/welcome.js");
}"""


def at_desk(browser: Browser, **context: Any) -> Page:
    page = browser.new_page(**context)
    open_bare(page)
    page.route("**/session-stage/**", lambda route: route.abort())
    page.evaluate(PAGE, ALPHABET)
    return page


def test_a_code_is_entered_by_touch_without_a_keyboard(browser: Browser) -> None:
    page = at_desk(browser, viewport={"width": 390, "height": 844}, has_touch=True)
    field = page.locator("#code")
    keys = page.get_by_role("group", name="Keys of the code").get_by_role("button")
    expect(keys).to_have_text([*ALPHABET, "Delete"])
    for character in "K7M2QY":
        keys.get_by_text(character, exact=True).tap()
    expect(field).to_have_value("K7M-2QY")
    expect(field).to_be_focused()
    keys.get_by_text("Delete").tap()
    keys.get_by_text("X", exact=True).tap()
    expect(field).to_have_value("K7M-2QX")
    for _ in range(4):
        keys.get_by_text("Delete").tap()
    expect(field).to_have_value("K7")
    assert field.get_attribute("inputmode") == "none", "no other keyboard covers it"
    boxes = [key.bounding_box() for key in keys.all()]
    assert all(box and box["width"] >= 44 and box["height"] >= 44 for box in boxes)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.close()


def test_with_a_mouse_the_keys_are_shown_on_request_and_reached_by_the_keyboard(browser: Browser) -> None:
    page = at_desk(browser)
    pad = page.get_by_role("group", name="Keys of the code")
    expect(pad).to_be_hidden()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(pad).to_be_visible()
    for key in ("Tab", "ArrowRight", "ArrowRight", "Enter", "End", "ArrowLeft", "Enter"):
        page.keyboard.press(key)
    expect(page.locator("#code")).to_have_value("2Z")
    expect(page.locator("code-pad")).to_have_attribute("translate", "no")
    page.close()


@pytest.mark.django_db
@pytest.mark.once
@pytest.mark.parametrize("address", ["/", "/station/"])
def test_both_pages_have_the_pad_with_the_characters_of_codes(client: Any, address: str) -> None:
    page = client.get(address).content.decode()
    assert f'<code-pad data-characters="{ALPHABET}">' in page
    assert 'translate="no"' in page


def test_a_code_is_spelt_in_two_halves() -> None:
    assert spell("K7M2QX") == "kilo seven mike, two quebec x-ray"


def test_every_character_has_a_word() -> None:
    for character in ALPHABET:
        assert normalise(spell(character * 6).replace(",", " ")) == character * 6


def test_a_spelt_code_is_accepted_as_the_code() -> None:
    source = random.Random(7)
    for _ in range(200):
        code = new_code(source)
        assert normalise(spell(code)) == code
