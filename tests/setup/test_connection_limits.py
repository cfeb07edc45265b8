"""Who loses a connection, when there are too many: whoever has most, and there the one that waits longest."""

from hypothesis import given
from hypothesis import strategies as st

from playtest.serve.connection_limits import OpenSockets, WaitingConnections


def test_the_address_with_most_loses_its_oldest() -> None:
    ended: list[str] = []
    waiting = WaitingConnections(3)
    for name, address in [("a", "room"), ("b", "busy"), ("c", "busy"), ("d", "busy"), ("e", "busy")]:
        waiting.add(name, address, lambda name=name: ended.append(name))  # type: ignore[misc]
    assert ended == ["b", "c"]
    waiting.discard("d")
    waiting.discard("d")
    waiting.add("f", "room", lambda: ended.append("f"))
    assert ended == ["b", "c"]


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 30), st.sampled_from("xyz"))))
def test_there_are_never_too_many_and_what_came_last_stays(steps: list[tuple[bool, int, str]]) -> None:
    waiting, alive = WaitingConnections(5), dict[int, str]()
    for comes, number, address in steps:
        if not comes:
            waiting.discard(number)
            alive.pop(number, None)
        elif number not in alive:
            alive[number] = address
            waiting.add(number, address, lambda number=number: alive.pop(number))  # type: ignore[misc]
            if list(alive.values()).count(address) > 1 or len(set(alive.values())) < 3:
                assert number in alive
        assert len(alive) <= 5


def test_an_owner_opens_as_many_as_are_allowed_and_one_more_after_closing_one() -> None:
    sockets = OpenSockets(2)
    assert [sockets.enter("one") for _ in range(3)] == [True, True, False]
    assert sockets.enter("another")
    sockets.leave("one")
    assert sockets.enter("one")
