"""`manage.py simulate --evaluate-flags` prints the table that docs/effort.md has, and stores nothing."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from playtest.people.models import Participant
from playtest.play.models import Attempt
from playtest.rehearsal.flag_evaluation import LEAST_FOUND, MOST_ACCUSED, shipped
from playtest.rehearsal.people.groups import GROUPS
from playtest.rules.effort import RULE_VERSION

DOCUMENT = Path(__file__).parents[2] / "docs" / "effort.md"


def lines_of(text: str) -> dict[str, list[str]]:
    """The cells of each line of the table, by its first one; sums and other tables are left out."""
    lines = [line.strip("|") for line in text.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.split("|")] for line in lines]
    labels = {group.label for group in GROUPS}
    return {line[0]: line for line in cells if line[0] in labels and len(line) == 6}


def test_the_documented_table_is_of_todays_rule_set_and_meets_what_is_asked() -> None:
    text = DOCUMENT.read_text()
    assert f"\nRule set {RULE_VERSION}, 40 people of each kind" in text, "run the command again"
    table = lines_of(text)
    assert list(table) == [group.label for group in GROUPS]
    for group in GROUPS:
        reviewed, people = map(int, table[group.label][2].split(" of "))
        assert people == 40
        met = reviewed <= MOST_ACCUSED * people if group.tries else reviewed >= LEAST_FOUND * people
        assert met, group.label


@pytest.mark.long
@pytest.mark.once
@pytest.mark.django_db
def test_the_command_plays_every_kind_and_stores_nothing() -> None:
    output = StringIO()
    call_command("simulate", evaluate_flags=True, people=1, seed=3, stdout=output, stderr=StringIO())
    said = output.getvalue()
    assert said.startswith(
        f"Rule set {RULE_VERSION}, 1 people of each kind, {len(shipped())} environments, seed 3."
    )
    assert list(lines_of(said)) == [group.label for group in GROUPS]
    assert not Participant.objects.exists()
    assert not Attempt.objects.exists()
