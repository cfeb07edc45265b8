"""Which attempts are excluded from the quota of an environment.

The quota is counted in this room, under the lock of an assignment. Reviewers' exclusions are known to a
higher room, which must not be imported from here. That room adds its condition when it starts. The condition
becomes part of the one query that counts, so nothing is stored twice.
"""

from collections.abc import Callable

from django.db.models import Q

type Condition = Callable[[], Q]
"""Makes a condition on attempts, a new one for each query."""

_EXCLUDED: list[Condition] = []


def exclude_from_quota(condition: Condition) -> Condition:
    """Exclude attempts that meet the condition from every quota. Called when a room starts."""
    if condition not in _EXCLUDED:
        _EXCLUDED.append(condition)
    return condition


def is_in_quota() -> Q:
    """The condition on attempts that no room has excluded."""
    found = Q()
    for condition in _EXCLUDED:
        found &= ~condition()
    return found
