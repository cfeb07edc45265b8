"""Links, pictures, files and folders that documents name exist."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
CURRENT = [file for file in DOCUMENTS if file.name != "CHANGELOG.md"]  # it also names what is gone
FOLDERS = (
    ".ci",
    "deploy",
    "docs",
    "engine",
    "games",
    "playtest",
    "scripts",
    "static",
    "templates",
    "tests",
    "tools",
)
PATHS = {
    f"/{path.relative_to(ROOT)}"
    for path in [*ROOT.iterdir(), *(path for folder in FOLDERS for path in (ROOT / folder).rglob("*"))]
} | {f"/{folder}" for folder in FOLDERS}

LINK = re.compile(r"\]\(([^)#]+)|src=\"([^\"]+)")
FILE = re.compile(r"`([\w/-]+\.(?:py|js|c|h|html|css)|[\w/-]+/[\w.-]+\.\w+)`")
FOLDER = re.compile(r"`((?:[\w-]+/)+)`")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda file: str(file.relative_to(ROOT)))
def test_every_link_leads_somewhere(document: Path) -> None:
    links = ["".join(found) for found in LINK.findall(document.read_text())]
    assert [link for link in links if "://" not in link and not (document.parent / link).exists()] == []


def test_every_picture_is_shown_by_a_document() -> None:
    text = "".join(file.read_text() for file in (ROOT / "docs").glob("*.md"))
    pictures = [file.name for file in (ROOT / "docs" / "pictures").iterdir()]
    assert [name for name in pictures if f"pictures/{name}" not in text] == []


@pytest.mark.parametrize("document", CURRENT, ids=lambda file: str(file.relative_to(ROOT)))
def test_every_named_path_exists(document: Path) -> None:
    text = document.read_text()
    named = {name.rstrip("/") for pattern in (FILE, FOLDER) for name in pattern.findall(text)}
    assert {name for name in named if not any(path.endswith(f"/{name}") for path in PATHS)} == set()
