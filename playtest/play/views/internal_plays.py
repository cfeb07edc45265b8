"""Playing a version without a session: begins an internal play, and shows it to its own player."""

from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from playtest.people.access import StaffRequest, requires
from playtest.people.refusals import tell_refusal
from playtest.people.roles import Right
from playtest.play.errors import Refusal
from playtest.play.sessions.internal_plays import begin_internal_play, internal_play
from playtest.rules.text import whole_number
from playtest.studio.models import Environment, SightingKind, Version
from playtest.studio.shown import shows


def _environment(request: StaffRequest, pk: int) -> QuerySet[Environment]:
    return Environment.objects.filter(attempts=pk)


@require_POST
@requires(Right.PLAY_INTERNALLY)
def begin(request: StaffRequest, code: str) -> HttpResponse:
    """Begins an internal play of a `version`, named by its key, on a `level`.

    Of the current version, on the first level, where these are not given.
    """
    environment = get_object_or_404(Environment, code=code)
    asked = request.POST.get("version")
    key = environment.current_id if asked is None else whole_number(asked) or 0
    versions = Version.objects.defer("source", "metadata")
    version = get_object_or_404(versions, environment=environment, pk=key)
    try:
        begun = begin_internal_play(version, request.user, whole_number(request.POST.get("level", "1")) or 0)
    except Refusal as refusal:
        tell_refusal(request, refusal)
        return redirect("studio:environment", code)
    return redirect("play:internal-play", begun.pk)


@require_GET
@requires(Right.PLAY_INTERNALLY)
@shows(SightingKind.PLAYED, _environment)
def board(request: StaffRequest, pk: int) -> HttpResponse:
    """The page of the board, as participants have it; to the results once it is over, or of a colleague."""
    play = internal_play(pk)
    if play is None:
        raise Http404("There is no such internal play.")
    over = reverse("insight:internal-play", args=[pk])
    if play.ended_at is not None or play.staff_id != request.user.pk:
        return redirect(over)
    context = {
        "internal": play,
        "session_key": f"internal-{pk}",
        "socket": f"/ws/internal/{pk}/",
        "over": over,
        "refused": reverse("studio:environment", args=[play.environment.code]),
    }
    return render(request, "play/board.html", context)
