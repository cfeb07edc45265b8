"""Lines of templates fit on a screen: what a page shows can be read and compared where it is written."""

from pathlib import Path

TEMPLATES = Path(__file__).parents[2] / "templates"
LONGEST = 160
STILL_LONG = ("insight", "review", "studio")
"""Folders whose lines are not wrapped yet."""


def test_no_line_of_a_template_is_too_long() -> None:
    files = {path.relative_to(TEMPLATES): path for path in sorted(TEMPLATES.rglob("*.html"))}
    long = [
        f"{name}:{number}"
        for name, path in files.items()
        if name.parts[0] not in STILL_LONG
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if len(line) > LONGEST
    ]
    assert not long
