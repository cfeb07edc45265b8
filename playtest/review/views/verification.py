"""The verification of one attempt, started on its page."""

from base64 import b64encode

from asgiref.sync import async_to_sync
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from engine.frames import Frame
from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.play.errors import Refusal
from playtest.review.services.verification import verify_one
from playtest.review.verification_result import RECORD_CODES
from playtest.review.video.pictures import png
from playtest.review.views.find import find_attempt

_PIXELS_A_CELL = 6


@require_POST
@requires(Right.WATCH_REPLAYS)
def check(request: StaffRequest, pk: int) -> HttpResponse:
    """Verifies an attempt and shows the first difference, if any, with both frames."""
    attempt = find_attempt(request, pk)
    try:
        found = async_to_sync(verify_one)(attempt.pk)
    except Refusal as refusal:
        messages.error(request, f"{refusal.message} ({refusal.code})")
        return redirect("review:attempt", pk)
    difference = found.difference
    context = {
        "attempt": attempt,
        "found": found,
        "difference": difference,
        "others": found.differences[1:],
        "replays": difference is not None and difference.code in RECORD_CODES,
        "recorded": _picture(difference.recorded) if difference else None,
        "played": _picture(difference.played) if difference else None,
    }
    return render(request, "review/verification.html", context)


def _picture(frame: Frame | None) -> str | None:
    """The frame as a data URL for an `img`."""
    return (
        frame if frame is None else f"data:image/png;base64,{b64encode(png(frame, _PIXELS_A_CELL)).decode()}"
    )
