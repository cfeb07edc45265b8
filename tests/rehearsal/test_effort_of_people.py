"""The effort rules find simulated people of each kind who do not try, and nobody who tries."""

from collections import Counter

import pytest

from playtest.rules.inference.shares import share
from tools.effort_flags import known
from tools.effort_flags.evaluation import Row, evaluate, failures, table

pytestmark = pytest.mark.once

ENVIRONMENTS = ("ws72", "ph79", "tz85", "gn36", "bh93")
PEOPLE = 3
FOUND_BY = {
    "cycler": "response_time",
    "slow_collector": "tutorial_only",
    "fast_collector": "tutorial_only",
    "random_clicker": "random",
    "favourite_key": "random",
    "idler": "idle",
    "masher": "fast",
    "pattern": "pattern",
    "left_right": "pattern",
    "three_minutes": "by_the_clock",
    "told": "solution_known",
}
BY_NAME = {kind.name: kind for kind in known.KINDS}


@pytest.mark.long
def test_who_does_not_try_is_found_by_the_rule_for_it_and_nobody_else_is() -> None:
    """Three people of each kind at five environments, in each other's norms; asked are 90 and 5 %."""
    rows = evaluate(PEOPLE, 3, lambda done: None, known.KINDS, codes=ENVIRONMENTS, processes=2)
    found = {row.kind.name: row.rules[FOUND_BY[row.kind.name]] for row in rows if not row.kind.tries}
    assert found.keys() == FOUND_BY.keys()
    assert min(found.values()) >= PEOPLE - 1, found
    assert sum(found.values()) >= 0.9 * PEOPLE * len(FOUND_BY), found
    accused = {row.kind.name: dict(row.rules) for row in rows if row.kind.tries and row.reviewed.count}
    tried = [row.reviewed for row in rows if row.kind.tries]
    assert sum(one.count for one in tried) <= 0.05 * sum(one.people for one in tried), accused
    assert {row.reviewed.people for row in rows} == {PEOPLE}
    assert {row.kind.name for row in rows} == set(BY_NAME)


def made_up(name: str, reviewed: int, people: int = 40) -> Row:
    return Row(BY_NAME[name], share(reviewed, people), Counter({"idle": reviewed}))


def test_what_is_asked_of_the_rules_is_at_least_nine_of_ten_and_at_most_one_of_twenty() -> None:
    assert failures([made_up("idler", 36), made_up("slow", 2)]) == []
    assert failures([made_up("idler", 35), made_up("slow", 3)]) == [
        "idler: a review of 35 of 40 was opened; at least 90 % should be.",
        "slow but honest: a review of 3 of 40 was opened; at most 5 % should be.",
    ]


def test_the_table_has_a_line_for_each_kind_and_sums() -> None:
    assert list(table([made_up("idler", 36), made_up("masher", 40), made_up("slow", 2)]))[2:] == [
        "| idler | no | 36 of 40 | 90.0 % | 77 to 96 % | `idle` 36 |",
        "| key masher | no | 40 of 40 | 100.0 % | 91 to 100 % | `idle` 40 |",
        "| slow but honest | yes | 2 of 40 | 5.0 % | 1 to 17 % | `idle` 2 |",
        "| all who do not try | no | 76 of 80 | 95.0 % | 88 to 98 % |  |",
        "| all who try | yes | 2 of 40 | 5.0 % | 1 to 17 % |  |",
    ]
