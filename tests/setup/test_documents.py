"""What the documents point at is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
FOLDERS = ("engine", "playtest", "static", "tests")

LINK = re.compile(r"\]\(([^)#]+)|src=\"([^\"]+)")
MODULE = re.compile(r"`([\w/]+\.(?:py|js|c|json))`")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda file: str(file.relative_to(ROOT)))
def test_every_link_leads_somewhere(document: Path) -> None:
    links = ["".join(found) for found in LINK.findall(document.read_text())]
    assert [link for link in links if "://" not in link and not (document.parent / link).exists()] == []


def test_the_gallery_shows_every_picture() -> None:
    gallery = (ROOT / "docs" / "gallery.md").read_text()
    pictures = [file.name for file in (ROOT / "docs" / "pictures").iterdir()]
    assert [name for name in pictures if f"pictures/{name}" not in gallery] == []


def test_every_module_that_the_house_names_is_in_it() -> None:
    there = {f"/{file.relative_to(ROOT)}" for folder in FOLDERS for file in (ROOT / folder).rglob("*.*")}
    named = set(MODULE.findall((ROOT / "ARCHITECTURE.md").read_text()))
    assert {name for name in named if not any(file.endswith(f"/{name}") for file in there)} == set()
