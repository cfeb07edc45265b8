"""What results add to homes: studies, baselines and who played since, and what waits for whom."""

from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple, cast

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from playtest.insight.models import Release
from playtest.insight.pages import internal_plays
from playtest.insight.pages.baseline.views import baseline_rows
from playtest.insight.pages.board.board import Card, cards
from playtest.insight.paper.preregistration import newest_standings
from playtest.people.manifests import Waits, waiting
from playtest.people.models import Staff
from playtest.people.roles import Right
from playtest.play.models import Attempt, Study
from playtest.play.models.study import held_here
from playtest.play.sessions.reads import REAL
from playtest.review.models import Decision, DecisionKind
from playtest.review.queries.decisions import in_force
from playtest.review.queries.exclusions import counts
from playtest.rules.acceptance import Gate
from playtest.rules.kinds import Kind
from playtest.rules.pipeline import Need, Stage
from playtest.rules.redundancy import Standing
from playtest.studio.models import Environment
from playtest.studio.queries.redundancy import all_marks, ranked
from playtest.studio.queries.waivers import granted


class Outgrown(NamedTuple):
    """An environment's newest release, with the `results` that came since, and the `decisions` to exclude."""

    release: Release
    results: int
    decisions: int


def outgrown() -> list[Outgrown]:
    """The newest release of each environment that would be another one today, the oldest first.

    It counts what came since. Whether a level's baseline differs for it, the page of the release computes.
    """
    newer = Release.objects.filter(environment=OuterRef("environment"), number__gt=OuterRef("number"))
    newest = (
        Release.objects.filter(~Exists(newer)).select_related("environment").order_by("released_at", "pk")
    )
    releases = list(newest)
    results = _came_since(releases, Attempt.objects.filter(REAL, counts()), "ended_at")
    excluding = in_force().exclude(kind=DecisionKind.KEEP)
    concerned = Q(attempt=None) | Q(attempt=F("session__attempts"))
    real = Q(session__participant__simulated=False) & held_here("session__study__")
    decisions = _came_since(releases, excluding.filter(real), "decided_at", "session__attempts__", concerned)
    return [
        Outgrown(one, results[one.pk], decisions[one.pk])
        for one in releases
        if results[one.pk] or decisions[one.pk]
    ]


_EVERY = Q()


def _came_since(
    releases: list[Release],
    rows: QuerySet[Attempt] | QuerySet[Decision],
    moment: str,
    path: str = "",
    concerned: Q = _EVERY,
) -> Counter[int]:
    """By release how many rows are of a later `moment`; `path` leads from a row to its attempts.

    `concerned`: of a row's attempts those that it is about.
    """
    release = f"{path}version__releases"
    since = {f"{moment}__gt": F(f"{release}__released_at"), f"{release}__in": [one.pk for one in releases]}
    groups = rows.filter(concerned, **since).order_by().values_list(release)
    return Counter(dict(groups.annotate(number=Count("pk", distinct=True))))


_MOST = 5
_READ_ONCE = "_cards_of_home"


def own_environments(staff: Staff | None, request: object) -> dict[str, Any]:
    """One's own environments with their stage and what blocks the next one."""
    own = _own_cards(staff) if staff is not None else []
    return {
        "request": request,
        "user": staff,
        "cards": own[:_MOST],
        "count": len(own),
        "blocked": sum(bool(card.blocks) for card in own),
        "may_manage": staff is not None and staff.may(Right.MANAGE_ENVIRONMENTS),
    }


def studies_under_way(staff: Staff | None, request: object) -> dict[str, Any]:
    """Open studies with departures from their preregistration, the newest baselines and outgrown ones."""
    studies = list(Study.objects.filter(held_here(), open=True).order_by("-pk")[:_MOST])
    standings = newest_standings(studies)
    releases = Release.objects.select_related("environment").order_by("-released_at", "-pk")
    return {
        "request": request,
        "user": staff,
        "studies": [(study, standings.get(study.pk)) for study in studies],
        "outgrown": outgrown(),
        "most": _MOST,
        "releases": list(releases[:_MOST]),
        "may_take_data": staff is not None and staff.may(Right.TAKE_DATA),
    }


def example(staff: Staff | None, _: object) -> dict[str, Any]:
    """The newest rehearsal whose people come with the product, until this person has dismissed it."""
    rehearsed = Study.objects.filter(rehearsal=True, outside__isnull=False, pool__kind=Kind.INTERACTIVE)
    shown = staff is not None and not staff.example_dismissed
    return {"example": rehearsed.order_by("-pk").first() if shown else None}


def releases_since(_: Staff, since: datetime) -> int:
    """How many baselines were released."""
    return Release.objects.filter(released_at__gt=since).count()


def own_to_go_on_with(staff: Staff) -> Waits:
    """How many of one's own environments lack something for the next stage that their owner can do."""
    number = sum(any(_is_for_owner(need, card) for need, _ in card.missing) for card in _own_cards(staff))
    lack = "lacks" if number == 1 else "lack"
    return Waits(number, f"of your environments {lack} something for the next stage")


def _is_for_owner(need: Need, card: Card) -> bool:
    """Whether the owner can meet it: others play it, sign its card, and answer marks of redundancy."""
    return need not in (Need.PLAYED, Need.ACCEPTED, Need.DISTINCT, Need.CARD) or (
        need is Need.CARD and not card.signing
    )


def _cards(staff: Staff) -> list[Card]:
    """One's own environments, of a lead all, as on the board: read once while a home is made."""
    found: list[Card] | None = getattr(staff, _READ_ONCE, None)
    if found is None:
        whose = Q() if staff.may(Right.WAIVE_NEEDS) else Q(owner=staff)
        imported = Count("versions", filter=Q(versions__is_draft=False))
        rows = Environment.objects.filter(whose).select_related("current", "owner")
        environments = list(rows.defer("current__source").annotate(versions_count=imported))
        stages = list(Stage)
        environments.sort(key=lambda one: stages.index(Stage(one.stage)))
        found = cards(environments) if environments else []
        setattr(staff, _READ_ONCE, found)
    return found


def _own_cards(staff: Staff) -> list[Card]:
    return [card for card in _cards(staff) if card.environment.owner_id == staff.pk]


def moves_to_make(staff: Staff) -> Waits:
    """How many environments, a designer's own, can move on, or back since the public did not accept them."""
    if not staff.may(Right.MANAGE_ENVIRONMENTS):
        return Waits(0, "")
    number = sum(
        (card.onward is not None and not card.missing) or (card.accepted.data or {}).get("gate") == Gate.BACK
        for card in _cards(staff)
    )
    return waiting(number, "environment", "for a move to another stage")


def versions_to_mend(staff: Staff) -> Waits:
    """How many environments people are given in a version that lacks what a gate asks of every version."""
    if not staff.may(Right.WAIVE_NEEDS):
        return Waits(0, "")
    unsound = [card.environment for card in _cards(staff) if card.unsound]
    studies = Study.objects.filter(held_here(), open=True, pool__in=unsound)
    given = set(studies.values_list("pool", flat=True)) if unsound else ()
    codes = [one.code for one in unsound if one.pk in given]
    has = "environment has a version" if len(codes) == 1 else "environments have versions"
    note = f"{', '.join(codes)}. Qualify and explore it, waive what is missing, or send it back."
    return Waits(len(codes), f"{has} with the public that did not pass the gate to External", note=note)


def plays_to_make(staff: Staff) -> Waits:
    """How many environments in Internal this person, who does not own them, can play for their next gate."""
    if not staff.may(Right.PLAY_INTERNALLY):
        return Waits(0, "")
    if staff.may(Right.WAIVE_NEEDS):
        inside = [card.environment for card in _cards(staff) if card.environment.stage == Stage.INTERNAL]
    else:
        inside = list(Environment.objects.filter(stage=Stage.INTERNAL).defer("note"))
    others = [one for one in inside if one.current_id is not None and one.owner_id != staff.pk]
    if not others:
        return Waits(0, "")
    found, waived = internal_plays.facts(others), granted(others)
    number = sum(
        not found[one.pk].met
        and Need.PLAYED not in waived[one.pk]
        and staff.get_username() not in cast(Mapping[str, Any], found[one.pk].data)["plays"]
        for one in others
    )
    return waiting(number, "environment", "to be played by you")


def releases_to_make(staff: Staff) -> Waits:
    """How many baselines have enough people, and none that is released."""
    if not staff.may(Right.RELEASE_BASELINES):
        return Waits(0, "")
    judged = {card.environment.pk: card.verdict for card in _cards(staff) if card.verdict}
    number = sum(
        not row.verdict.more and row.verdict.solvers > 0 and (row.release is None or row.is_outdated)
        for row in baseline_rows(judged)
    )
    return waiting(number, "baseline", "to be released")


def marks_to_answer(staff: Staff) -> Waits:
    """How many claims of redundancy wait for another person than who made them."""
    if not staff.may(Right.MANAGE_ENVIRONMENTS):
        return Waits(0, "")
    if staff.may(Right.WAIVE_NEEDS):
        marks = [one.marked for card in _cards(staff) for one in card.redundant]
    else:
        marks = all_marks()
    others = {
        one.mark.pk for one in marks if one.standing is Standing.OPEN and one.mark.marked_by_id != staff.pk
    }
    number = len(others)
    return waiting(number, "redundancy claim", "for an answer")


def pairs_to_compare(staff: Staff) -> Waits:
    """How many of the pairs that are most alike nobody has judged."""
    if not staff.may(Right.MANAGE_ENVIRONMENTS):
        return Waits(0, "")
    return waiting(sum(one.asked for one in ranked()), "pair", "to be compared")
