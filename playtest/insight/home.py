"""What results add to homes: studies under way, what blocks one's own environments, marks to answer."""

from typing import Any

from django.db.models import Count, Q

from playtest.insight.baseline.list_views import BaselineRow, baseline_rows
from playtest.insight.evidence.preregistration import newest_standing
from playtest.insight.models import Release
from playtest.insight.pipeline.board import board
from playtest.people.models import Staff
from playtest.people.roles import Right
from playtest.play.models import Study
from playtest.rules.redundancy import Standing
from playtest.studio.models import Environment
from playtest.studio.queries.redundancy import all_marks

_MOST = 5


def own_environments(staff: Staff | None, request: object) -> dict[str, Any]:
    """One's own environments with their stage and what blocks the next one."""
    imported = Count("versions", filter=Q(versions__is_draft=False))
    found = Environment.objects.filter(owner=staff).select_related("current", "owner")
    owned = list(found.annotate(versions_count=imported))
    cards = [card for column in board(owned) for card in column.cards] if owned else []
    return {
        "request": request,
        "user": staff,
        "cards": cards[:_MOST],
        "count": len(cards),
        "blocked": sum(bool(card.blocks) for card in cards),
        "may_manage": staff is not None and staff.may(Right.MANAGE_ENVIRONMENTS),
    }


def studies_under_way(staff: Staff | None, request: object) -> dict[str, Any]:
    """Open studies with departures from their preregistration, baselines to release, and the newest."""
    studies = Study.objects.filter(open=True, rehearsal=False).order_by("-pk")[:_MOST]
    releases = Release.objects.select_related("environment").order_by("-released_at", "-pk")
    return {
        "request": request,
        "user": staff,
        "studies": [(study, newest_standing(study)) for study in studies],
        "to_release": _to_release() if staff is not None and staff.may(Right.RELEASE_BASELINES) else [],
        "releases": list(releases[:_MOST]),
        "may_take_data": staff is not None and staff.may(Right.TAKE_DATA),
    }


def _to_release() -> list[BaselineRow]:
    """Current versions that enough people played, at least one to the end, and that have no release yet."""
    return [
        row
        for row in baseline_rows()
        if not row.verdict.more and row.verdict.solvers and (row.release is None or row.is_outdated)
    ]


def marks_to_answer(staff: Staff) -> tuple[int, str]:
    """How many claims of redundancy wait for another person than who made them."""
    if not staff.may(Right.MANAGE_ENVIRONMENTS):
        return 0, ""
    open_ones = [one for one in all_marks() if one.standing is Standing.OPEN]
    number = sum(one.mark.marked_by_id != staff.pk for one in open_ones)
    return number, f"claim{'' if number == 1 else 's'} of redundancy to answer"
