"""Figures of an environment agree with each other for random attempts."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import accumulate, pairwise
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playtest.insight.pages.environment.attempt_strips import WIDTH, attempt_rows, environment_heading
from playtest.insight.pages.environment.distributions import (
    actions_figure,
    baselines,
    funnel,
    funnel_figure,
    standards,
)
from playtest.insight.pages.environment.level_table import CHANGES, level_facts
from playtest.insight.pages.environment.progression import (
    ACTIONS,
    TIME,
    incidence_figure,
    observations,
)
from playtest.insight.scope import Scope
from playtest.insight.tables.results import ATTEMPT, LEVEL
from playtest.insight.tables.version import VersionResults, with_level_outcomes
from playtest.rules.attempt import LEFT_AT_ONCE, LOST, RESET, Outcome
from playtest.rules.labels import OUTCOME_LABELS
from playtest.rules.results import WIN, ResultEntry, level_results
from playtest.studio.models import Environment, Version

QUIT = "gave up or concluded"
LEVELS = 4
BEGIN = datetime(2025, 11, 3, 9, tzinfo=UTC)
NOT_WON = (*sorted(set(OUTCOME_LABELS) - {Outcome.COMPLETED, LEFT_AT_ONCE}), "")

type Person = tuple[list[int], int, int, str, int | None]
"""Actions on each level completed, actions on the last level, resets among these, outcome, exclusion."""

people = st.lists(
    st.tuples(
        st.lists(st.integers(1, 40), max_size=LEVELS),
        st.integers(0, 40),
        st.integers(0, 3),
        st.sampled_from(NOT_WON),
        st.none() | st.integers(1, 60),
    ),
    max_size=12,
)


polars_settings = settings(deadline=None, max_examples=25)  # the first call of anything in polars is slow


def journal(person: Person) -> list[ResultEntry]:
    """Returns a journal with the opening frame and one second for each action."""
    completed, rest, resets, *_ = person
    won = len(completed) == LEVELS
    ends = set(accumulate(completed))
    total = sum(completed) + (0 if won else rest)
    entries, done = [ResultEntry(0, RESET, 0, False, "NOT_FINISHED", True, b"0", BEGIN)], 0
    for seq in range(1, total + 1):
        ended = seq in ends
        done += ended
        reset = not ended and total - seq < resets
        state = WIN if won and done == LEVELS else "NOT_FINISHED"
        at = BEGIN + timedelta(seconds=seq)
        action = RESET if reset else 1
        entries.append(ResultEntry(seq, action, done, ended, state, True, str(seq).encode(), at))
    return entries


def played(everyone: Sequence[Person], *, with_excluded: bool = False) -> VersionResults:
    """Returns the tables of `queries.played`, computed by the real fold from these journals."""
    attempts, levels = [], []
    for number, person in enumerate(everyone, start=1):
        completed, *_, outcome, cut = person
        entries = journal(person)
        actions = len(entries) - 1
        cut = cut if cut is not None and cut <= actions else None
        outcome = Outcome.COMPLETED if len(completed) == LEVELS else outcome
        row: dict[str, Any] = {
            "attempt": number, "session": number, "protocol": 1, "more_than_actions": 30,
            "less_than_seconds": 1800, "granted_seconds": 0.0,
            "participant": f"P-{number}", "environment": "wk01",
            "version": 1, "levels": LEVELS, "outcome": str(outcome), "levels_completed": len(completed),
            "first_frame_at": BEGIN, "last_action_at": entries[-1].at, "attempt_actions": actions,
            "attempt_seconds": float(actions), "enough": actions > 30, "counted": False, "excluded_from": cut,
            "why_excluded": "disturbed" if cut else None, "under_review": False,
        }  # fmt: skip
        attempts.append(row)
        for result in level_results(entries):
            if with_excluded or cut is None or result.last_seq < cut:
                levels.append(row | {name: getattr(result, name) for name in list(LEVEL)[1:]})
    version = Version(
        pk=1, environment=Environment(pk=1, code="wk01"), digest="a" * 64, levels=LEVELS, metadata={}
    )
    frame = pl.DataFrame(levels, schema=dict(LEVEL) | dict(ATTEMPT))
    return VersionResults(
        version,
        Scope(with_excluded=with_excluded),
        pl.DataFrame(attempts, schema=dict(ATTEMPT)),
        with_level_outcomes(frame),
    )


def left_at_once(found: VersionResults, level: int) -> int:
    """Counts people who left this level at once, except by a limit of time or tries."""
    here = found.levels.filter(level=level, level_outcome="left_at_once")
    by_limit = pl.col("outcome").is_in([Outcome.TIMED_OUT.value, Outcome.TRIES_USED.value])
    return here.filter(~by_limit).height


def table(found: VersionResults) -> list[dict[str, int]]:
    return funnel(found).to_dicts()


@polars_settings
@given(people, st.booleans())
def test_a_completed_level_leads_to_the_next_a_win_or_an_exclusion(
    everyone: list[Person], with_excluded: bool
) -> None:
    found = played(everyone, with_excluded=with_excluded)
    rows = table(found)
    assert [row["level"] for row in rows] == [1, 2, 3, 4]
    assert rows[0]["reached"] + rows[0]["excluded"] == len(everyone)
    for row, following in pairwise(rows):
        assert following["reached"] + following["excluded"] == row["completed"]
    assert sum(row["reached"] for row in rows) == found.levels.height
    if with_excluded:
        assert sum(row["excluded"] for row in rows) == 0
        assert rows[-1]["completed"] == sum(len(person[0]) == LEVELS for person in everyone)


@polars_settings
@given(people)
def test_every_figure_counts_each_person_once(everyone: list[Person]) -> None:
    found = played(everyone)
    rows = table(found)
    known = found.levels["attempt"].n_unique()
    assert sum(row[3] for row in funnel_figure(found).rows) == found.levels.height  # type: ignore[misc]
    assert len(actions_figure(found, {}).rows) == sum(row["completed"] for row in rows)
    strips = attempt_rows(found, most=99)
    assert len(strips) == known
    assert max((sum(part.width for part in strip.parts) for strip in strips), default=0) <= WIDTH + 4 * LEVELS
    for over in (ACTIONS, TIME):
        assert len(observations(found, over)) == known
        assert sum(person.end == QUIT for person in observations(found, over)) == sum(
            row["gave_up"] + row["concluded"] + left_at_once(found, row["level"]) for row in rows
        )


@polars_settings
@given(people)
def test_facts_of_a_level_agree_with_its_baseline_and_its_funnel(everyone: list[Person]) -> None:
    found = played(everyone)
    known = baselines(found)
    facts = level_facts(found, pl.DataFrame(schema=CHANGES))
    for fact, row in zip(facts, table(found), strict=True):
        assert (fact.reached, fact.left_at_once) == (row["reached"], row["left_at_once"])
        assert (fact.completed, fact.lost) == (row["completed"], sum(row[outcome] for outcome in LOST))
        assert fact.ended == row["completed"] + fact.lost
        assert fact.median_actions == known[fact.level].upper_median


def one(outcome: str, *completed: int, rest: int = 0, cut: int | None = None) -> Person:
    return [*completed], rest, 0, outcome, cut


@pytest.mark.parametrize(
    ("everyone", "expected"),
    [
        ([], "Nobody has played wk01 yet"),
        ([one("", 1, 1, 1, 1)], "The only person solved it"),
        ([one("", 1, 1, 1, 1)] * 3, "All 3 people solved it"),
        ([one("gave_up", 2, rest=29)], "Level 2 lost the only person who tried it"),
        ([one("gave_up", rest=31)] * 2, "Level 1 loses all 2 people"),
        ([one("timed_out", 2, rest=40), one("", 1, 1, 1, 1)], "Level 2 loses 1 of 2 people"),
        (
            [*[one("gave_up", 2, rest=40)] * 3, one("", 1, 1, 1, 1)],
            "Level 2 loses 3 of 4 people",
        ),
        (
            [one("gave_up", rest=40), one("gave_up", 2, rest=40), one("", 1, 1, 1, 1)],
            "Levels 1 and 2 lose 1 person each",
        ),
        (
            [*[one("gave_up", *[1] * done, rest=40) for done in range(4)], one("", 1, 1, 1, 1)],
            "Levels 1, 2, 3 and 4 lose 1 person each",
        ),
        ([one("gave_up", 2, rest=28)], "The only person left at once"),
        ([one("timed_out", rest=30)] * 2, "All 2 people left at once"),
        (
            [one("gave_up", rest=40), one("concluded", 2, rest=3), one("", 1, 1, 1, 1)],
            "Level 1 loses 1 of 3 people; 1 left at once",
        ),
        (
            [one("gave_up", rest=3), one("", 1, 1, 1, 1)],
            "Nobody is lost so far: 1 solved it, 1 left at once",
        ),
        (
            [one("fault", rest=3), one("session_over", rest=3), one("", rest=3), one("", 1, 1, 1, 1)],
            "Nobody is lost so far: 1 solved it, 1 session over, 1 environment fault, 1 still playing",
        ),
        (
            [one("ended_by_staff", rest=40), one("", 1, 1, 1, 1)],
            "Nobody is lost so far: 1 solved it, 1 ended by staff",
        ),
    ],
)  # fmt: skip
def test_the_heading_names_the_level_that_loses_most_people(everyone: list[Person], expected: str) -> None:
    found = played(everyone)
    assert environment_heading(found, level_facts(found, pl.DataFrame(schema=CHANGES))) == expected


def test_each_person_solves_gives_up_is_cut_off_or_was_last_watched() -> None:
    everyone = [
        one("gave_up", 5, rest=5), one("concluded", rest=20), one("timed_out", rest=30), one("fault", rest=1),
        one("session_over", rest=2), one("", rest=3), one("", 1, 1, 1, 1), one("gave_up", 7, rest=9, cut=9),
        one("ended_by_staff", rest=6),
    ]  # fmt: skip
    found = observations(played(everyone), ACTIONS)
    assert [(person.at, person.end) for person in found] == [
        (10, QUIT), (20, QUIT), (30, "timed out"), (1, None), (2, None), (3, None), (4, "solved"), (7, None),
        (6, None),
    ]  # fmt: skip
    title = "Ends of the environment by actions: 1 of 9 solved, gave up or concluded: 2, half of them by"
    assert incidence_figure(played(everyone), ACTIONS).title == f"{title} action 10"
    assert (
        incidence_figure(played(everyone[2:]), TIME).title
        == "Ends of the environment by time: 1 of 7 solved, gave up or concluded: 0"
    )


def test_actions_on_levels_stand_beside_what_they_are_compared_with() -> None:
    found = played([one("", 4, 4, 4, 4), one("", 40, 4, 4, 4), one("", 9, 4, 4, 4)])
    figure = actions_figure(found, standards(found, {1: 3}))
    lines = [(line["name"], line["value"]) for line in figure.options["lines"] if line["group"] == "Level 1"]
    assert lines == [("fewest known", 3), ("best", 4), ("baseline", 9)]
    assert figure.title == "Level 1 takes 3.0 times the fewest known actions, the highest ratio (3 people)"


def test_the_baseline_of_the_metadata_is_beside_the_results_where_there_is_one() -> None:
    found = played([one("", 9, 4, 4, 4), one("", 9, 4, 4, 4)])
    assert [standard.given for standard in standards(found, {}).values()] == [None] * 4
    for refused in ([6, 8, 4], [6, 8, 4, 0], [6, 8, 4, "4"], "6844"):
        found.version.metadata = {"baseline_actions": refused}
        assert [standard.given for standard in standards(found, {}).values()] == [None] * 4
    found.version.metadata = {"baseline_actions": [6, 8, 4, 4]}
    given = standards(found, {})
    assert [standard.given for standard in given.values()] == [6, 8, 4, 4]
    assert [standard.times_given for standard in given.values()] == [1.5, 0.5, 1.0, 1.0]
    lines = actions_figure(found, given).options["lines"]
    assert ("Level 2", "in the metadata", 8) in [tuple(line.values()) for line in lines]
