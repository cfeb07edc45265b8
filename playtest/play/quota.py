"""Whose attempts stand for nobody in an environment's quota.

The quota is counted here, under the lock of an assignment; what reviewers left out is known to a room that
may not be imported from here. That room says at its start how to recognise such attempts, as part of the one
query that counts: no question is asked for it, and nothing is stored twice.
"""

from collections.abc import Callable

from django.db.models import Q

type Condition = Callable[[], Q]
"""Makes a condition on attempts, anew for each query."""

_LEFT_OUT: list[Condition] = []


def leave_out(condition: Condition) -> Condition:
    """From now on attempts that fit `condition` take nobody's place. Called when a room starts."""
    if condition not in _LEFT_OUT:
        _LEFT_OUT.append(condition)
    return condition


def takes_a_place() -> Q:
    """The condition on attempts that nobody has left out."""
    found = Q()
    for condition in _LEFT_OUT:
        found &= ~condition()
    return found
