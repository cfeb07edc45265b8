"""The frontier of value and cost: what nothing else beats."""

from collections.abc import Iterable


def frontier[T](known: Iterable[tuple[float, float, T]]) -> list[T]:
    """Those of (cost, value, thing) that no other one beats in value at the same or a lower cost.

    The cheapest comes first. Values are 0 or more.
    """
    best, unbeaten = -1.0, list[T]()
    for _, value, thing in sorted(known, key=lambda one: (one[0], -one[1])):
        if value > best:
            best = value
            unbeaten.append(thing)
    return unbeaten
