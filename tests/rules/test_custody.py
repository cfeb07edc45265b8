"""Which facts about environments may leave, by their set."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.custody import (
    Fact,
    all_may_disclose,
    enforces_budget,
    hides_budget,
    may_disclose,
    stricter,
)

SETS = st.sampled_from(["none", "public", "semi_private", "private", "", "unheard of"])
FACTS = st.sampled_from(Fact)


@pytest.mark.parametrize(
    ("release_set", "told"),
    [
        ("public", set(Fact)),
        ("semi_private", {Fact.BASELINE_ACTIONS}),
        ("private", set()),
        ("none", set()),
        ("unheard of", set()),
    ],
)
def test_each_set_discloses_these_facts(release_set: str, told: set[Fact]) -> None:
    assert {fact for fact in Fact if may_disclose(release_set, fact)} == told


@given(SETS, SETS, FACTS)
def test_the_stricter_set_discloses_what_both_disclose(one: str, other: str, fact: Fact) -> None:
    assert stricter(one, other) == stricter(other, one)
    assert may_disclose(stricter(one, other), fact) == all_may_disclose([one, other], fact)


def test_the_budget_of_a_set_that_is_not_public_is_enforced() -> None:
    assert not enforces_budget("public")
    assert enforces_budget("semi_private")
    assert enforces_budget("private")
    assert [one for one in ("public", "semi_private", "private", "none") if hides_budget(one)] == [
        "private",
        "none",
    ]
    assert enforces_budget("none"), "an environment that was taken out of its set while it is played"
