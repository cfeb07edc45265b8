"""Answers are left only where enough people share all of them; sums and differences tell of no fewer."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.disclosure import Answers, released, whole_tables

ANSWER = st.sampled_from(["a", "b", "c", None])
PEOPLE = st.lists(st.tuples(ANSWER, ANSWER, ANSWER), max_size=60)


@given(PEOPLE, st.integers(1, 3))
def test_enough_people_share_everything_that_is_shown_of_each(people: list[Answers], versions: int) -> None:
    fixed = [number % versions for number in range(len(people))]
    found = released(people, fixed)
    for (_, answers), size in Counter(zip(fixed, found, strict=True)).items():
        assert size >= 5 or not any(answers)
    for given_, left in zip(people, found, strict=True):
        assert all(one in (None, other) for one, other in zip(left, given_, strict=True))
    for column in range(3):
        pairs = [(one[column], left[column]) for one, left in zip(people, found, strict=True)]
        gave, missing = Counter(one for one, _ in pairs), Counter(one for one, left in pairs if one != left)
        assert all(size >= 5 or size == gave[answer] for answer, size in missing.items())


@given(PEOPLE)
def test_the_order_of_people_is_irrelevant(people: list[Answers]) -> None:
    one = released(people, [0] * len(people))
    other = released(people[::-1], [0] * len(people))
    assert one == other[::-1]


def test_no_more_is_withheld_than_must_be() -> None:
    sizes = {("a", "x"): 5, ("a", "y"): 5, ("b", "x"): 6, ("b", "z"): 5}
    people: list[Answers] = [one for one, size in sizes.items() for _ in range(size)]
    assert released(people, [0] * 21) == people
    rare = [*people, ("b", "rare")]
    left = released(rare, [0] * 22)
    assert [one[0] for one in left] == [one[0] for one in rare]
    assert sum(one[1] is None for one in left) == 6  # the rare answer, and the five that hide it


@given(
    st.dictionaries(
        st.text("EFG", min_size=1, max_size=3), st.dictionaries(ANSWER.map(str), st.integers(0, 9))
    )
)
def test_tables_that_are_left_out_hold_no_small_group_together(tables: dict[str, dict[str, int]]) -> None:
    shown = whole_tables(tables)
    assert all(not 0 < size < 5 for name in shown for size in tables[name].values())
    hidden = Counter[str]()
    for name in tables.keys() - shown:
        hidden.update(tables[name])
    assert not shown or all(not 0 < size < 5 for size in hidden.values())
