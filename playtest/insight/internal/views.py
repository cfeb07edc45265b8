"""The page of one internal play: what it shows of each level, its replay, and playing again."""

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from playtest.insight.internal.queries import levels_of
from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.play.sessions.internal_plays import internal_plays, with_progress


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
