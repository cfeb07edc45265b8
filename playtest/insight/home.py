"""What results add to homes: studies, baselines and who played since, what waits, marks to answer."""

from typing import Any, NamedTuple

from django.db.models import Count, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from playtest.insight.models import Release
from playtest.insight.pages.baseline.views import BaselineRow, baseline_rows
from playtest.insight.pages.board.board import Card, board
from playtest.insight.paper.preregistration import newest_standings
from playtest.people.models import Staff
from playtest.people.roles import Right
from playtest.play.models import Attempt, Study
from playtest.play.models.study import held_here
from playtest.play.sessions.reads import COUNTED, REAL
from playtest.review.models import Decision, DecisionKind
from playtest.review.queries.decisions import in_force
from playtest.review.queries.exclusions import cannot_count
from playtest.rules.acceptance import Gate
from playtest.rules.pipeline import Stage
from playtest.rules.redundancy import Standing
from playtest.studio.models import Environment
from playtest.studio.queries.redundancy import all_marks


class Outgrown(NamedTuple):
    """An environment's newest release, with the `results` that came since, and the `decisions` to exclude."""

    release: Release
    results: int
    decisions: int


def outgrown() -> list[Outgrown]:
    """The newest release of each environment that would be another one today, the oldest first.

    It counts what came since. Whether a level's baseline differs for it, the page of the release computes.
    """
    newest = dict(Release.objects.order_by("number").values_list("environment", "pk"))
    if not newest:
        return []
    results = Attempt.objects.filter(
        REAL, COUNTED, ~cannot_count(), version=OuterRef("version"), ended_at__gt=OuterRef("released_at")
    )
    decisions = (
        in_force()
        .exclude(kind=DecisionKind.KEEP)
        .filter(Q(session__attempts__version=OuterRef("version")), decided_at__gt=OuterRef("released_at"))
    )
    found = Release.objects.filter(pk__in=newest.values()).annotate(
        came=_number_of(results, "version"), decided=_number_of(decisions, "session__attempts__version")
    )
    changed = found.filter(Q(came__gt=0) | Q(decided__gt=0)).select_related("environment")
    rows = changed.order_by("released_at", "pk")
    return [Outgrown(release, release.came, release.decided) for release in rows]


def _number_of(rows: QuerySet[Attempt] | QuerySet[Decision], by: str) -> Coalesce:
    counted = rows.order_by().values(by).annotate(number=Count("pk", distinct=True)).values("number")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


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
    """Open studies with departures from their preregistration, baselines to release and outgrown ones."""
    studies = list(Study.objects.filter(held_here(), open=True).order_by("-pk")[:_MOST])
    standings = newest_standings(studies)
    releases = Release.objects.select_related("environment").order_by("-released_at", "-pk")
    return {
        "request": request,
        "user": staff,
        "studies": [(study, standings.get(study.pk)) for study in studies],
        "outgrown": outgrown(),
        "most": _MOST,
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


class WaitingMove(NamedTuple):
    """An environment that somebody should move: to its next stage, or back (`after` is None)."""

    environment: Environment
    after: Stage | None
    verdict: str


def moves_to_make(staff: Staff | None, request: object) -> dict[str, Any]:
    """Environments that meet every need of their next stage, and those that the public did not accept."""
    underway = Environment.objects.exclude(stage=Stage.DONE).select_related("current", "owner")
    cards = [card for column in board(list(underway.defer("current__source"))) for card in column.cards]
    moves = [move for card in cards if (move := _move_of(card))]
    return {"request": request, "user": staff, "moves": moves[:_MOST], "count": len(moves)}


def _move_of(card: Card) -> WaitingMove | None:
    shown = card.accepted.data or {}
    verdict = card.accepted.sentence if shown else ""
    if card.onward and not card.missing:
        return WaitingMove(card.environment, card.onward.after, verdict)
    return WaitingMove(card.environment, None, verdict) if shown.get("gate") == Gate.BACK else None


def marks_to_answer(staff: Staff) -> tuple[int, str]:
    """How many claims of redundancy wait for another person than who made them."""
    if not staff.may(Right.MANAGE_ENVIRONMENTS):
        return 0, ""
    open_ones = [one for one in all_marks() if one.standing is Standing.OPEN]
    number = sum(one.mark.marked_by_id != staff.pk for one in open_ones)
    return number, f"claim{'' if number == 1 else 's'} of redundancy to answer"
