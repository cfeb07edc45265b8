"""docs/security.md names tests that exist."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEST = re.compile(r"`(tests/[\w/]+\.py)(?:::(\w+))?`")


def test_every_test_that_the_document_names_exists() -> None:
    named = TEST.findall((ROOT / "docs" / "security.md").read_text())
    assert len(named) > 25
    missing = [
        f"{file}::{test}"
        for file, test in named
        if not (ROOT / file).exists() or (test and f"def {test}(" not in (ROOT / file).read_text())
    ]
    assert missing == []


def test_every_threat_has_a_test() -> None:
    rows = [
        line
        for line in (ROOT / "docs" / "security.md").read_text().splitlines()
        if line.startswith("| ") and not line.startswith(("| wants", "| ---"))
    ]
    assert [row for row in rows if "`tests/" not in row and not row.endswith("| the same |")] == []
