"""The handbook of the center names pages and buttons as they are on the screen, and is a page of its own."""

import re
from pathlib import Path

import pytest
from django.urls import reverse

from playtest.people.navigation import PAGES
from playtest.people.roles import RIGHTS, Role
from tests.staff import signed_in

ROOT = Path(__file__).parents[2]
HANDBOOK = (ROOT / "docs" / "center.md").read_text()
NAMED = sorted(set(re.findall(r"\*\*(.+?)\*\*", HANDBOOK)) - {"bold"})
SHOWN = re.compile(r"<(button|summary|h1|h2|a|legend)\b[^>]*>(.*?)</\1>", re.DOTALL)
VARIES = re.compile(r"\{\{.*?\}\}|\{%.*?%\}")


def shown_names() -> list[re.Pattern[str]]:
    """Patterns of the names of buttons, links and headings; what the server fills in matches anything."""
    texts = [page.title for page in PAGES]
    for template in (ROOT / "templates").rglob("*.html"):
        text = template.read_text()
        texts += [inner for _, inner in SHOWN.findall(text)]
        texts += re.findall(r"\{% (?:if|elif|else)[^%]*%\}([^{}<]+)", text)
    found = []
    for text in texts:
        parts = [re.escape(part) for part in VARIES.split(re.sub(r"<[^>]*>", "", text).strip())]
        if any(part.strip("\\ ") for part in parts):
            found.append(re.compile(".*".join(parts)))
    return found


def test_every_page_and_button_that_the_handbook_names_exists() -> None:
    shown = shown_names()
    assert len(NAMED) > 30
    missing = [name for name in NAMED if not any(each.fullmatch(name) for each in shown)]
    assert missing == [], "rename them in docs/center.md as they are on the screen"


def test_pages_that_proctors_may_not_open_are_left_to_the_lead() -> None:
    closed = {page.title for page in PAGES if page.right not in RIGHTS[Role.PROCTOR]}
    parts = [part for part in HANDBOOK.split("\n\n") if closed & set(re.findall(r"\*\*(.+?)\*\*", part))]
    assert parts
    assert [part for part in parts if "the lead" not in part.lower()] == []
    assert "protocol leads to" not in HANDBOOK, "the page of a study is closed to proctors"


@pytest.mark.django_db
@pytest.mark.once
def test_every_member_of_staff_can_read_the_handbook() -> None:
    page = signed_in(Role.PROCTOR).get(reverse("people:handbook")).content.decode()
    assert "<h1>Handbook of the testing center</h1>" in page
    assert "<h3>Fire alarm</h3>" in page
    assert reverse("people:handbook") in signed_in(Role.PROCTOR).get(reverse("people:roles")).content.decode()
