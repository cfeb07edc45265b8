"""What other rooms derive from attempts, so that `manage.py rebuild` computes it again as well."""

from collections.abc import Callable, Iterator

from django.db.models import QuerySet

from playtest.play.models import Attempt

type Rebuild = Callable[[QuerySet[Attempt]], str]
"""Computes something of these attempts again, and returns a sentence that says how much."""

_REBUILDS: list[Rebuild] = []


def rebuild_also(rebuild: Rebuild) -> None:
    """Adds to `manage.py rebuild`. Called when a room starts."""
    if rebuild not in _REBUILDS:
        _REBUILDS.append(rebuild)


def rebuild_derived(attempts: QuerySet[Attempt]) -> Iterator[str]:
    """Does all of it, one after the other."""
    for rebuild in _REBUILDS:
        yield rebuild(attempts)
