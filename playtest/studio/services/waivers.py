"""Waives needs of an environment at its gates: asked for, granted, ended."""

from django.db import transaction
from django.utils import timezone

from playtest.people.models import Staff
from playtest.people.roles import Right
from playtest.rules.errors import RuleError
from playtest.rules.pipeline import NEEDS, OF_VERSION, WAIVABLE, Need
from playtest.rules.text import storable
from playtest.studio.models import Environment, GateWaiver, WaiverState
from playtest.studio.queries.waivers import met_by, newest

LONGEST_REASON = 2_000
_AFTER = {
    WaiverState.ASKED: (None, WaiverState.ENDED),
    WaiverState.GRANTED: (None, WaiverState.ASKED, WaiverState.ENDED),
    WaiverState.ENDED: (WaiverState.ASKED, WaiverState.GRANTED),
}


def waive(
    environment: Environment, need: str, reason: str, by: Staff | None, state: str = WaiverState.GRANTED
) -> GateWaiver:
    """Stores the next step of a waiver, of the current version if the need is about one.

    Without `by`, the product waives what it has just found unmet, so that is not found out again.

    RuleError: need_not_waived, lead_decides, reason_missing, version_missing; need_met if it is met
    without; waiver_stands if it stands so, or does not stand.
    """
    if need not in WAIVABLE or state not in WaiverState:
        raise RuleError("need_not_waived", "Choose what the environment goes without.")
    if state != WaiverState.ASKED and by is not None and not by.may(Right.WAIVE_NEEDS):
        raise RuleError("lead_decides", "A lead decides: ask for the waiver.")
    reason = reason.strip()[:LONGEST_REASON]
    if not reason or not storable(reason):
        raise RuleError("reason_missing", "Give a reason.")
    with transaction.atomic():
        locked = Environment.objects.select_for_update().get(pk=environment.pk)
        if need in OF_VERSION and locked.current_id is None:
            raise RuleError("version_missing", "Nothing has been imported that this could be waived of.")
        known = {one.value: row for one, row in newest([locked])[locked.pk].items()}.get(need)
        if (known.state if known else None) not in _AFTER[WaiverState(state)]:
            message = f"This waiver is {known.get_state_display()} already." if known else "It is not waived."
            raise RuleError("waiver_stands", message)
        if state != WaiverState.ENDED and by is not None and need in met_by(locked):
            raise RuleError("need_met", f"It has {NEEDS[Need(need)]}: no waiver is needed.")
        return GateWaiver.objects.create(
            environment=locked,
            version_id=locked.current_id if need in OF_VERSION else None,
            need=need,
            state=state,
            reason=reason,
            by=by,
            at=timezone.now(),
        )
