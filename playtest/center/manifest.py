"""What the center adds to staff pages and their search, and which of its tables are append-only."""

from typing import Any

from django.http import HttpRequest

from playtest.center import home, search_kinds
from playtest.center.calls import banner
from playtest.center.pay.totals import budget_of, study_pay
from playtest.center.schedule.queries import booked_without_a_code, places_part
from playtest.center.stations.devices import station_here
from playtest.people.append_only import Protected, RefusedInsert, differs, same
from playtest.people.manifests import Manifest, Part
from playtest.people.models import Staff
from playtest.people.roles import Right
from playtest.people.search import Kind
from playtest.play.manifest import OWNER_OF_ATTEMPT
from playtest.play.models import Study

_VOIDED = "SELECT attempt_id FROM center_void WHERE id = OLD.void_id"
_OWNER_OF_ACCOUNT = "SELECT participant_id FROM center_payaccount WHERE id = OLD.account_id"
_ONCE = f"{same('account_id', 'kind')} AND NEW.kind IN ('fee', 'bonus')"
_PRESENT = "state IN ('booked', 'confirmed') AND NEW.state IN ('booked', 'confirmed')"
_ENTERED_BY_SAME = RefusedInsert(
    "own_approval",
    "EXISTS (SELECT 1 FROM center_adjustment"
    " WHERE id = NEW.adjustment_id AND entered_by_id = NEW.decided_by_id)",
    "who entered an adjustment cannot decide about it",
)


def _budget_tag(staff: Staff | None, study: Study) -> dict[str, Any]:
    """The study's pay, for staff who may see pay, if it has a budget."""
    may_see = staff is not None and staff.may(Right.ENTER_PAY)
    return {"pay": study_pay(study) if may_see and budget_of(study) is not None else None}


def _at_station(reader: Staff | None, request: HttpRequest) -> dict[str, Any]:
    """The station that shows the page; None in any other browser."""
    return {"station": station_here(request)}


MANIFEST = Manifest(
    promised=(booked_without_a_code,),
    titles={
        "center:calls": "Calls",
        "center:room-controls": "Everybody in the room",
        "center:slot": "Slot {pk}",
        "center:slot-pay": "Pay of slot {pk}",
        "center:slots-new": "New slots",
        "center:roster": "Roster",
        "center:session": "Session {pk}",
        "center:session-new": "New session",
        "center:session-controls": "Controls",
        "center:same-person": "Records of one person",
        "center:station": "Station {number}",
        "center:pay-study": "Study {pk}",
        "center:pay-receipt": "Receipt {pk}",
        "center:pay-batch": "Batch {pk}",
        "center:pay-batch-new": "New batch",
    },
    kinds=(
        Kind("session", "Sessions", Right.RUN_SESSIONS, search_kinds.sessions),
        Kind("participant", "Participants", Right.RUN_SESSIONS, search_kinds.participants),
        Kind("station", "Stations", Right.RUN_SESSIONS, search_kinds.stations),
    ),
    parts=(
        Part("staff", "center/calls/banner.html", banner),
        Part("home-proctor", "center/home/today.html", home.today),
        Part("home-lead", "center/home/today.html", home.today),
        Part("home-proctor", "center/home/needs-help.html", home.room_now),
        Part("study", "center/schedule/study-places.html", places_part),
        Part("participant", "center/stations/at-station.html", _at_station),
        Part("study-row", "center/pay/budget-tag.html", _budget_tag),
    ),
    waiting_at_home=(
        ("center:wall", home.people_to_help),
        ("center:schedule", home.messages_not_sent),
        ("center:pay", home.adjustments_to_decide),
        ("center:pay", home.budgets_used),
        ("center:pay", home.people_to_pay),
    ),
    new_at_home=(("center:sessions", "session ended", "sessions ended", home.sessions_since),),
    protected=(
        Protected("center_void", OWNER_OF_ATTEMPT),
        Protected(
            "center_voidreversal",
            f"SELECT participant_id FROM play_attempt WHERE id = ({_VOIDED})",
            (same("void_id"),),
        ),
        Protected("center_payaccount"),
        Protected("center_paidsession", _OWNER_OF_ACCOUNT, (same("account_id"), same("session_id"))),
        Protected("center_adjustment"),
        Protected(
            "center_adjustmentdecision", unique=(same("adjustment_id"),), refused_inserts=(_ENTERED_BY_SAME,)
        ),
        Protected("center_payline", unique=(_ONCE, same("account_id", "batch_id"), same("adjustment_id"))),
        Protected("center_paybatch"),
        Protected("center_paymentnote", unique=(same("account_id", "batch_id"), same("line_id"))),
        Protected("center_receipt", unique=(same("account_id", "edition"),)),
        Protected("center_budget"),
        Protected("center_slot", changed=differs("id", "study_id", "created_at", "created_by_id")),
        Protected(
            "center_booking",
            "OLD.participant_id",
            (same("session_id"), f"{same('slot_id', 'participant_id')} AND {_PRESENT}"),
            differs("id", "participant_id", "kind", "created_at", "created_by_id"),
        ),
    ),
)
