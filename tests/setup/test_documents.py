"""What the documents point at is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("engine", "playtest", "static", "tests")

LINK = re.compile(r"\]\(([^)#]+)|src=\"([^\"]+)")
MODULE = re.compile(r"`([\w/]+\.(?:py|js|c|json))`")


@pytest.mark.parametrize("name", ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_every_link_leads_somewhere(name: str) -> None:
    links = ["".join(found) for found in LINK.findall((ROOT / name).read_text())]
    assert [link for link in links if "://" not in link and not (ROOT / link).exists()] == []


def test_every_picture_is_shown() -> None:
    readme = (ROOT / "README.md").read_text()
    pictures = [file.name for file in (ROOT / "docs" / "pictures").iterdir()]
    assert [name for name in pictures if f"docs/pictures/{name}" not in readme] == []


def test_every_module_that_the_house_names_is_in_it() -> None:
    there = {f"/{file.relative_to(ROOT)}" for folder in FOLDERS for file in (ROOT / folder).rglob("*.*")}
    named = set(MODULE.findall((ROOT / "ARCHITECTURE.md").read_text()))
    assert {name for name in named if not any(file.endswith(f"/{name}") for file in there)} == set()
