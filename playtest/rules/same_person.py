"""Which records belong to one person, from links that each say so of two."""

from collections.abc import Iterable


def groups(links: Iterable[tuple[int, int]]) -> dict[int, frozenset[int]]:
    """Every linked record with all records of its person, itself among them.

    A link has no direction, and two links that share a record make one person of three.
    """
    found: dict[int, frozenset[int]] = {}
    for one, other in links:
        person = found.get(one, frozenset((one,))) | found.get(other, frozenset((other,)))
        found.update(dict.fromkeys(person, person))
    return found
