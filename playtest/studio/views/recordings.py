"""Changes the type of a developer's recording or removes it, each with a reason."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from playtest.people.access import StaffRequest, requires
from playtest.people.roles import Right
from playtest.rules.errors import RuleError
from playtest.studio.models import DEVELOPERS, Recording, RecordingChange
from playtest.studio.services import recording_changes as services


@require_safe
@requires(Right.MANAGE_ENVIRONMENTS)
def change(request: StaffRequest, code: str, pk: int) -> HttpResponse:
    """The recording, and forms to change its type and to remove it."""
    recording = _find(code, pk)
    kinds = [kind for kind in DEVELOPERS if kind != recording.kind]
    context = {"recording": recording, "code": code, "kinds": kinds, "longest": services.LONGEST_REASON}
    return render(request, "studio/recording-change.html", context)


@require_POST
@requires(Right.MANAGE_ENVIRONMENTS)
def retype(request: StaffRequest, code: str, pk: int) -> HttpResponse:
    """`kind`: win, loss or unfinished; `reason`."""
    recording, reason = _find(code, pk), request.POST.get("reason", "")
    kind = request.POST.get("kind", "")
    return _done(request, code, recording, lambda: services.retype(recording, kind, reason, request.user))


@require_POST
@requires(Right.MANAGE_ENVIRONMENTS)
def remove(request: StaffRequest, code: str, pk: int) -> HttpResponse:
    """`reason`."""
    recording, reason = _find(code, pk), request.POST.get("reason", "")
    return _done(request, code, recording, lambda: services.remove(recording, reason, request.user))


def _done(
    request: StaffRequest, code: str, recording: Recording, do: Callable[[], RecordingChange]
) -> HttpResponse:
    """Back to the environment; to the recording when it was refused."""
    try:
        made = do()
    except RuleError as error:
        messages.error(request, f"Nothing has changed: {error.message} ({error.code})")
        return redirect("studio:recording-change", code, recording.pk)
    what = f"has the type {made.after} now" if made.after else "is removed"
    messages.success(request, f"The recording “{made.name}” {what}.")
    return redirect(f"{reverse('studio:environment', args=[code])}#recordings")


def _find(code: str, pk: int) -> Recording:
    found = Recording.objects.filter(version__environment__code=code, kind__in=DEVELOPERS)
    return get_object_or_404(found.select_related("version__environment"), pk=pk)
