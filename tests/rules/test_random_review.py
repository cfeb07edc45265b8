"""The random share of sessions to be reviewed: reproducible, of the size that was asked for."""

from hashlib import sha256

from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.agreement import is_drawn
from playtest.rules.proportions import share

seals = st.lists(st.binary(min_size=32, max_size=32), max_size=5)
shares = st.floats(0, 1)


@given(st.integers(1), seals, shares, shares)
def test_who_is_drawn_is_drawn_at_every_larger_share(
    session: int, found: list[bytes], one: float, other: float
) -> None:
    smaller, larger = sorted((one, other))
    assert is_drawn(session, found, larger) or not is_drawn(session, found, smaller)


def test_none_and_all_and_nobody() -> None:
    seal = sha256(b"seal").digest()
    assert not is_drawn(1, [seal], 0)
    assert is_drawn(1, [seal], 1)
    assert not is_drawn(1, [], 1)


def test_a_tenth_is_drawn_and_what_happened_last_decides() -> None:
    ends = [sha256(str(number).encode()).digest() for number in range(4000)]
    drawn = [is_drawn(7, [b"first", end], 0.1) for end in ends]
    found = share(sum(drawn), len(drawn))
    assert found.low < 0.1 < found.high
