"""People are lost on a level that introduces a mechanic, or on one that may combine what came before."""

from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.cards import Mechanic
from playtest.rules.dropoff import LevelFacts, loss, stretches

KEYS, DOORS, MIRRORS = Mechanic("keys", 1), Mechanic("doors", 1), Mechanic("mirrors", 3)


def facts(*lost: int) -> list[LevelFacts]:
    return [LevelFacts(level, 10, 10 - people, people) for level, people in enumerate(lost, start=1)]


def test_levels_are_cut_before_each_that_introduces_something() -> None:
    levels = facts(1, 2, 4, 0, 1)
    first, second = stretches({1: (KEYS, DOORS), 3: (MIRRORS,)}, levels)
    assert (first.new, first.before, first.introduces, first.combines) == (
        (KEYS, DOORS), (), levels[0], (levels[1],),
    )  # fmt: skip
    assert (second.new, second.before, second.introduces) == ((MIRRORS,), (KEYS, DOORS), levels[2])
    assert second.combines == (levels[3], levels[4])
    found = loss([first, second])
    assert (found.on_new, found.on_others, found.most) == (5, 3, (second,))


def test_levels_before_the_first_mechanic_introduce_nothing() -> None:
    opening, mirrors = stretches({3: (MIRRORS,)}, facts(0, 5, 0))
    assert (opening.new, opening.introduces, opening.lost_combining) == ((), None, 5)
    assert (mirrors.introduces, mirrors.combines) == (LevelFacts(3, 10, 10, 0), ())
    assert loss([opening, mirrors]).most == ()


def test_without_a_mechanic_or_a_level_there_is_nothing_to_say() -> None:
    assert stretches({}, facts(1, 2)) == ()
    assert stretches({1: (KEYS,)}, []) == ()
    assert stretches({7: (KEYS,)}, facts(1, 2)) == ()
    assert loss(()) == loss(stretches({}, facts(3)))


@given(st.lists(st.integers(0, 10), min_size=1, max_size=10), st.sets(st.integers(1, 12), min_size=1))
def test_every_lost_person_is_in_one_stretch(lost: list[int], starts: set[int]) -> None:
    levels = facts(*lost)
    found = stretches({level: (Mechanic(f"m{level}", level),) for level in starts}, levels)
    if any(level.level in starts for level in levels):
        covered = [level for one in found for level in (one.introduces, *one.combines) if level]
        assert covered == levels
        assert loss(found).on_new + loss(found).on_others == sum(lost)
    else:
        assert found == ()
