"""Internal plays: whether others than its owner have played an environment, and the page of one."""

from collections.abc import Collection
from dataclasses import replace

from django.db.models import F
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from playtest.insight.compute.results import bring_up_to_date
from playtest.insight.models import LevelResult
from playtest.people.access import StaffRequest, requires
from playtest.people.models import Staff
from playtest.people.roles import Right
from playtest.play.models import Attempt
from playtest.play.sessions.internal_plays import internal_plays, plays_of_versions, with_progress
from playtest.review.journal_document import fewest_by_level
from playtest.review.models import Comment
from playtest.rules.kinds import Terms
from playtest.rules.pipeline import INTERNAL_PLAYERS, Fact, InternalPlay, plays_that_count
from playtest.studio.models import Environment, Version


def facts(environments: Collection[Environment]) -> dict[int, Fact]:
    """The fact about the current version of each, by the environment's key."""
    plays = plays_of_versions(one.current_id for one in environments if one.current_id is not None)
    written = Comment.objects.filter(attempt__version__in=plays, author=F("attempt__staff")).exclude(text="")
    commented = set(written.values_list("attempt", flat=True))
    counted = {
        one.pk: plays_that_count(
            (
                replace(play, commented=play.attempt in commented)
                for play in plays.get(one.current_id or 0, ())
            ),
            one.owner_id,
        )
        for one in environments
    }
    players = {player for found in counted.values() for player in found}
    names = dict(Staff.objects.filter(pk__in=players).values_list("pk", "username"))
    return {one.pk: _fact(counted[one.pk], names, _enough(one.kind.terms)) for one in environments}


def _enough(terms: Terms) -> str:
    """What makes a play count."""
    return f"a {terms.done} {terms.part} or a comment on how it ended"


def _fact(found: dict[int, InternalPlay], names: dict[int, str], enough: str) -> Fact:
    """`found`: by player, the first play that counts; `enough` as `_enough`."""
    data = {"plays": {names[player]: play.attempt for player, play in found.items()}}
    played = ", ".join(data["plays"])
    if len(found) >= INTERNAL_PLAYERS:
        return Fact(True, f"Members of the team who do not own it have played it: {played}.", data)
    if not found:
        who = f"{INTERNAL_PLAYERS} of the team who do not own it have"
        return Fact(False, f"{who} to play this version, each with {enough}.", data)
    more = INTERNAL_PLAYERS - len(found)
    who = f"{more} more of the team who {'does' if more == 1 else 'do'} not own it"
    must = f"{'has' if more == 1 else 'have'} to play this version, with {enough}"
    return Fact(False, f"{who} {must}. So far: {played}.", data)


MOST_PLAYS = 30


def plays_of(environment: Environment) -> list[Attempt]:
    """The newest MOST_PLAYS internal plays of all versions, with `acted` and `done`."""
    rows = with_progress(internal_plays().filter(environment=environment))
    return list(rows.order_by("-pk")[:MOST_PLAYS])


def levels_of(play: Attempt, version: Version) -> list[tuple[LevelResult, int | None, str]]:
    """The levels that a play reached, in order, as of now: with the fewest actions known, and its replay."""
    bring_up_to_date(Attempt.objects.filter(pk=play.pk))
    fewest = fewest_by_level(version)
    rows = LevelResult.objects.filter(attempt=play).order_by("level")
    replay = reverse("review:attempt", args=[play.pk])
    return [(row, fewest[row.level - 1], f"{replay}#level={row.level}") for row in rows]


@require_safe
@requires(Right.PLAY_INTERNALLY)
def internal_play(request: StaffRequest, pk: int) -> HttpResponse:
    """An internal play, also while it goes on."""
    play = with_progress(internal_plays()).filter(pk=pk).first()
    if play is None:
        raise Http404("There is no such internal play.")
    context = {
        "play": play,
        "mine": play.staff_id == request.user.pk,
        "levels": levels_of(play, play.version),
    }
    return render(request, "insight/internal/play.html", context)
