"""Finds the attempt of an address, of a person or an agent, for readers who may see its replay."""

from django.shortcuts import get_object_or_404

from playtest.people.access import RightMissing, StaffRequest
from playtest.people.roles import Right
from playtest.play.models import Attempt
from playtest.review.queries.attempts import attempts_and_runs


def find_attempt(request: StaffRequest, pk: int) -> Attempt:
    """The attempt. Raises Http404, and RightMissing for a run if the reader may not read boards."""
    found = get_object_or_404(attempts_and_runs(), pk=pk)
    if found.is_run and not request.user.may(Right.READ_BOARDS):
        raise RightMissing(Right.READ_BOARDS)
    return found
