"""Every command in the documents exists."""

import re
from pathlib import Path

import pytest
from django.core.management import get_commands

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])

FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`([^`\n]+)`")
COMMANDS = {
    "make": re.compile(r"\bmake ((?:[a-z][a-z-]*\b(?!=) ?)+)"),
    "manage.py": re.compile(r"\bmanage\.py ([a-z_]+)"),
    "scripts": re.compile(r"\bscripts/([\w-]+)"),
}


def code_of(document: str) -> str:
    """Returns the code of a document, one piece a line, without its prose ("make sure")."""
    blocks = FENCED.findall(document)
    return "\n".join([*blocks, *INLINE.findall(FENCED.sub("", document))])


def commands_in(document: str) -> set[tuple[str, str]]:
    """Returns pairs such as ("make", "up") of every command in a document."""
    code = code_of(document)
    return {
        (tool, name)
        for tool, find in COMMANDS.items()
        for match in find.findall(code)
        for name in match.split()
    }


def existing() -> set[tuple[str, str]]:
    targets = re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    scripts = [file.name for file in (ROOT / "scripts").iterdir()]
    names = {"make": targets, "manage.py": list(get_commands()), "scripts": scripts}
    return {(tool, name) for tool, known in names.items() for name in known}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda file: str(file.relative_to(ROOT)))
def test_every_documented_command_exists(document: Path) -> None:
    assert commands_in(document.read_text()) - existing() == set()


def test_documents_name_commands_at_all() -> None:
    assert ("make", "test") in commands_in((ROOT / "CONTRIBUTING.md").read_text())


def test_commands_are_read_from_code_only() -> None:
    document = """To make sure, run `make lint test` or:

```
make up PORT=9000
python manage.py baseline ab12 --json
```

`scripts/with-services make bench` starts both.
"""
    assert commands_in(document) == {
        ("make", "lint"),
        ("make", "test"),
        ("make", "up"),
        ("make", "bench"),
        ("manage.py", "baseline"),
        ("scripts", "with-services"),
    }
