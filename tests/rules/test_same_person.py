"""Links of records make groups: symmetric, transitive, and nobody else gets in."""

from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.same_person import groups

RECORDS = st.integers(0, 9)
LINKS = st.lists(st.tuples(RECORDS, RECORDS).filter(lambda link: link[0] != link[1]), max_size=12)


def reached(links: list[tuple[int, int]], record: int) -> set[int]:
    """Who is found by following links from one record, one after the other."""
    found, waiting = {record}, [record]
    while waiting:
        here = waiting.pop()
        for link in links:
            if here in link:
                waiting += set(link) - found
                found |= set(link)
    return found


@given(LINKS)
def test_a_person_has_every_record_that_links_lead_to_and_no_other(links: list[tuple[int, int]]) -> None:
    found = groups(links)
    assert set(found) == {record for link in links for record in link}
    assert all(set(found[record]) == reached(links, record) for record in found)
