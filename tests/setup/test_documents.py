"""What documents name exists: links, pictures, files, folders, commands, and the tests of each threat."""

import re
from pathlib import Path

import pytest
from django.core.management import get_commands

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
CURRENT = [file for file in DOCUMENTS if file.name != "CHANGELOG.md"]  # it also names what is gone
FOLDERS = (
    ".ci demonstration deploy docs engine games locale playtest scripts static templates tests tools".split()
)
PATHS = {
    f"/{path.relative_to(ROOT)}"
    for path in [*ROOT.iterdir(), *(path for folder in FOLDERS for path in (ROOT / folder).rglob("*"))]
} | {f"/{folder}" for folder in FOLDERS}

LINK = re.compile(r"\]\(([^)#]+)|src=\"([^\"]+)")
FILE = re.compile(r"`([\w/-]+\.(?:py|js|c|h|html|css)|[\w/-]+/[\w.-]+\.\w+)`")
FOLDER = re.compile(r"`((?:[\w-]+/)+)`")
TEST = re.compile(r"`(tests/[\w/]+\.py)(?:::(\w+))?`")
FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`([^`\n]+)`")
COMMANDS = {
    "make": re.compile(r"\bmake ((?:[a-z][a-z-]*\b(?!=) ?)+)"),
    "manage.py": re.compile(r"\bmanage\.py ([a-z_]+)"),
    "scripts": re.compile(r"\bscripts/([\w-]+)"),
}


def commands_in(document: str) -> set[tuple[str, str]]:
    """Returns pairs such as ("make", "up") of the commands in the code of a document."""
    code = "\n".join([*FENCED.findall(document), *INLINE.findall(FENCED.sub("", document))])
    return {
        (tool, name)
        for tool, find in COMMANDS.items()
        for match in find.findall(code)
        for name in match.split()
    }


def existing_commands() -> set[tuple[str, str]]:
    targets = re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    scripts = [file.name for file in (ROOT / "scripts").iterdir()]
    names = {"make": targets, "manage.py": list(get_commands()), "scripts": scripts}
    return {(tool, name) for tool, known in names.items() for name in known}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda file: str(file.relative_to(ROOT)))
def test_links_and_commands_lead_somewhere(document: Path) -> None:
    text = document.read_text()
    links = ["".join(found) for found in LINK.findall(text)]
    assert [link for link in links if "://" not in link and not (document.parent / link).exists()] == []
    assert commands_in(text) - existing_commands() == set()


@pytest.mark.parametrize("document", CURRENT, ids=lambda file: str(file.relative_to(ROOT)))
def test_every_named_path_exists(document: Path) -> None:
    text = document.read_text()
    named = {name.rstrip("/") for pattern in (FILE, FOLDER) for name in pattern.findall(text)}
    assert {name for name in named if not any(path.endswith(f"/{name}") for path in PATHS)} == set()


def test_every_picture_is_shown_by_a_document() -> None:
    text = "".join(file.read_text() for file in CURRENT)
    pictures = [file.name for file in (ROOT / "docs" / "pictures").iterdir()]
    assert [name for name in pictures if f"pictures/{name}" not in text] == []


def test_every_threat_has_a_test_that_exists() -> None:
    text = (ROOT / "docs" / "security.md").read_text()
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    rows = [line for line in lines if not line.startswith(("| wants", "| ---"))]
    assert [row for row in rows if "`tests/" not in row and not row.endswith("| the same |")] == []
    named = TEST.findall(text)
    assert len(named) > 25
    missing = [
        f"{file}::{test}"
        for file, test in named
        if not (ROOT / file).exists() or (test and f"def {test}(" not in (ROOT / file).read_text())
    ]
    assert missing == []
