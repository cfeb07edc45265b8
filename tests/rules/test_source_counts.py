"""Last lines of recordings, and why their counts may differ from ours."""

import pytest

from playtest.rules.source_counts import NOT_KNOWN, likely_reason, source_counts


@pytest.mark.parametrize(
    ("theirs", "reason"),
    [(28, "undo"), (30, "first"), (25, "undo; resets"), (40, NOT_KNOWN)],
    ids=["one way", "another one", "two together", "none"],
)
def test_the_fewest_ways_of_counting_explain_a_difference(theirs: int, reason: str) -> None:
    effects = {"undo": -1, "first": 1, "resets": -3, "nothing": 0}
    assert likely_reason(29, theirs, effects) == reason


@pytest.mark.parametrize("by_level", [None, [[]], "text"])
def test_a_last_line_may_lack_counts(by_level: object) -> None:
    card = {"actions": [5, 7], "resets": None, "actions_by_level": by_level, "total_plays": 1}
    found = source_counts({"levels_completed": 2, "cards": {"wk01": card}})
    assert found is not None
    assert (found.actions, found.resets, found.levels_completed, found.levels) == (12, None, 2, {})
    assert source_counts(None) is None


def test_actions_by_level_are_cumulative() -> None:
    found = source_counts({"cards": {"wk01": {"actions_by_level": [[[1, 5], [2, 12]]]}}})
    assert found is not None
    assert found.levels == {1: 5, 2: 7}
