"""What pay adds to lower rooms when the center starts: protected tables, hooks, a page part."""

from playtest.center.pay.page_parts import budget_tag
from playtest.center.pay.services.booking import refuse_beyond_budget
from playtest.center.pay.services.posting import post_session
from playtest.people.page_parts import add_part
from playtest.play.journal.triggers import Protected, RefusedInsert, protect, same
from playtest.play.session_hooks import after_session_end, refuse_new_sessions

_OWNER = "SELECT participant_id FROM center_payaccount WHERE id = OLD.account_id"
_ONCE = f"{same('account_id', 'kind')} AND NEW.kind IN ('fee', 'bonus')"
_ENTERED_BY_SAME = RefusedInsert(
    "own_approval",
    "EXISTS (SELECT 1 FROM center_adjustment"
    " WHERE id = NEW.adjustment_id AND entered_by_id = NEW.decided_by_id)",
    "who entered an adjustment cannot decide about it",
)


def start_pay() -> None:
    """Called once, when the room starts."""
    protect(
        Protected("center_payaccount"),
        Protected("center_paidsession", _OWNER, (same("account_id"), same("session_id"))),
        Protected("center_adjustment"),
        Protected(
            "center_adjustmentdecision", unique=(same("adjustment_id"),), refused_inserts=(_ENTERED_BY_SAME,)
        ),
        Protected("center_payline", unique=(_ONCE, same("account_id", "batch_id"), same("adjustment_id"))),
        Protected("center_paybatch"),
        Protected("center_receipt", unique=(same("account_id", "edition"),)),
        Protected("center_budget"),
    )
    add_part("study-row", "center/pay/budget-tag.html", budget_tag)
    after_session_end(post_session)
    refuse_new_sessions(refuse_beyond_budget)
