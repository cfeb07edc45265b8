"""Links, pictures and modules that documents name exist."""

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


@pytest.mark.parametrize("document", ["ARCHITECTURE.md", "CONTRIBUTING.md"])
def test_every_named_module_exists(document: str) -> None:
    files = [*ROOT.glob("*.*"), *(file for folder in FOLDERS for file in (ROOT / folder).rglob("*.*"))]
    existing = {f"/{file.relative_to(ROOT)}" for file in files}
    named = set(MODULE.findall((ROOT / document).read_text()))
    assert {name for name in named if not any(file.endswith(f"/{name}") for file in existing)} == set()
