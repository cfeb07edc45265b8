"""Stores masks of states: what was found, and what a person decides instead."""

from django.utils import timezone

from engine.prove.masks import RULES, Found, cells_of, nothing, packed
from playtest.people.models import Staff
from playtest.rules.errors import RuleError
from playtest.rules.text import storable
from playtest.studio.models import StateMask, Version
from playtest.studio.queries.masks import masks_in

LONGEST_REASON = 2_000


def keep_found(version: Version, found: Found, attempts: int) -> StateMask:
    """Stores what was found in so many recorded attempts, and in random play."""
    moment, cells = timezone.now(), packed(found.mask)
    before = masks_in(version)
    known = bytes(before.found.cells) if before.found else packed(nothing())
    same = before.decided is not None or cells == known
    return StateMask.objects.create(
        version=version,
        cells=cells,
        undecided=packed(found.undecided),
        stretches=found.stretches,
        actions=found.actions,
        attempts=attempts,
        rules=RULES,
        at=moment,
        applied_at=moment if same else None,
    )


def decide(version: Version, areas: str, reason: str, by: Staff) -> StateMask:
    """A person's mask: one rectangle a line, as column, row, width and height; nothing for no cell.

    RuleError: bad_areas, reason_missing.
    """
    reason = reason.strip()[:LONGEST_REASON]
    if not reason or not storable(reason):
        raise RuleError("reason_missing", "Say what the cells show, or why none is left out.")
    try:
        lines = [line.replace(",", " ").split() for line in areas.splitlines() if line.strip()]
        cells = cells_of([(int(x), int(y), int(width), int(height)) for x, y, width, height in lines])
    except ValueError as error:
        message = "Write one rectangle a line: column, row, width and height, within 64 by 64 cells."
        raise RuleError("bad_areas", message) from error
    return StateMask.objects.create(
        version=version,
        cells=packed(cells),
        undecided=packed(nothing()),
        decided_by=by,
        reason=reason,
        at=timezone.now(),
    )
