"""Finds the attempt of an address, of a person or an agent, for readers who may see its replay."""

from django.db.models import QuerySet
from django.http import Http404

from playtest.people.access import RightMissing, StaffRequest
from playtest.people.roles import Right
from playtest.play.models import Attempt
from playtest.review.queries.attempts import attempts_and_runs
from playtest.rules.attempt import PlayedBy
from playtest.studio.models import Environment

_NEEDED = {
    PlayedBy.PERSON: Right.WATCH_ATTEMPTS,
    PlayedBy.AGENT: Right.READ_BOARDS,
    PlayedBy.STAFF: Right.PLAY_INTERNALLY,
}


def find_attempt(request: StaffRequest, pk: int) -> Attempt:
    """The attempt: a person's for who may watch attempts, an agent's run for who may read boards, an
    internal play for who may play themselves.

    Raises RightMissing, also where there is none for who may not watch attempts, so that numbers say nothing
    of people; else Http404.
    """
    found = attempts_and_runs().filter(pk=pk).first()
    needed = _NEEDED[found.played_by if found else PlayedBy.PERSON]
    if not request.user.may(needed):
        raise RightMissing(needed)
    if found is None:
        raise Http404("There is no such attempt.")
    return found


def environment_of_attempt(request: StaffRequest, pk: int) -> QuerySet[Environment]:
    """What a page of the attempt shows (`studio.shown.shows`)."""
    return Environment.objects.filter(attempts=pk)
