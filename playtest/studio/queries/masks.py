"""The masks in force: which cells states of a version are compared without."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import QuerySet

from engine.prove.masks import Cells, unpacked
from playtest.studio.models import StateMask, Version


@dataclass(frozen=True)
class VersionMasks:
    """The newest mask that was found of a version, and the newest that a person decided."""

    found: StateMask | None
    decided: StateMask | None

    @property
    def in_force(self) -> StateMask | None:
        """A decision counts, whatever is found later."""
        return self.decided or self.found


def masks_of(versions: Iterable[int]) -> dict[int, Cells]:
    """The cells left out of comparisons, of the versions that have any, in one query."""
    stored = StateMask.objects.filter(version__in=set(versions)).order_by("pk")
    chosen, decided = dict[int, bytes](), set[int]()
    for version, by, cells in stored.values_list("version", "decided_by", "cells"):
        if by is not None or version not in decided:
            chosen[version] = bytes(cells)
        if by is not None:
            decided.add(version)
    return {version: unpacked(cells) for version, cells in chosen.items() if any(cells)}


def masks_in(version: Version) -> VersionMasks:
    """What was found and decided of a version."""
    stored = list(version.state_masks.select_related("decided_by").order_by("-pk"))
    return VersionMasks(
        next((one for one in stored if one.decided_by_id is None), None),
        next((one for one in stored if one.decided_by_id is not None), None),
    )


def not_applied() -> QuerySet[StateMask]:
    """Masks with which what depends on states is still to be computed."""
    return StateMask.objects.filter(applied_at__isnull=True)
