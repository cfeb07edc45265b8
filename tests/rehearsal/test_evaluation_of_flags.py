"""`python -m tools.effort_flags` prints the table that docs/effort.md has."""

from pathlib import Path

import pytest

from playtest.rules.effort.thresholds import RULE_VERSION
from tools.effort_flags import known, unseen
from tools.effort_flags.__main__ import main
from tools.effort_flags.evaluation import LEAST_FOUND, MOST_ACCUSED, shipped

KINDS = [*known.KINDS, *unseen.KINDS]
MISSED = {"switches off early": "5 of 20"}
"""Whom the rules fall short of, as the document says in words; a kind that is found must leave these."""
DOCUMENT = Path(__file__).parents[2] / "docs" / "effort.md"


def lines_of(text: str) -> dict[str, list[str]]:
    """The cells of each line of the table, by its first one; sums and other tables are left out."""
    lines = [line.strip("|") for line in text.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.split("|")] for line in lines]
    labels = {kind.label for kind in KINDS}
    return {line[0]: line for line in cells if line[0] in labels and len(line) == 6}


def test_the_documented_table_is_of_todays_rule_set_and_says_what_it_misses() -> None:
    text = DOCUMENT.read_text()
    assert f"\nRule set {RULE_VERSION}, 20 people of each kind" in text, "run the command again"
    table = lines_of(text)
    assert list(table) == [kind.label for kind in KINDS]
    for kind in KINDS:
        reviewed, people = map(int, table[kind.label][2].split(" of "))
        assert people == 20
        met = reviewed <= MOST_ACCUSED * people if kind.tries else reviewed >= LEAST_FOUND * people
        assert met != (kind.label in MISSED), kind.label
    for label, found in MISSED.items():
        assert table[label][2] == found
        assert f'"{label}" is missed: {found} are found' in text


@pytest.mark.long
def test_the_command_plays_every_kind(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--people", "1", "--seed", "3"])
    said = capsys.readouterr().out
    assert said.startswith(
        f"Rule set {RULE_VERSION}, 1 people of each kind, {len(shipped())} environments, seed 3."
    )
    assert list(lines_of(said)) == [kind.label for kind in KINDS]
