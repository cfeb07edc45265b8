"""The controls of one session and those for many, as fragments for the wall and as plain forms of pages."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from playtest.center import form_tokens
from playtest.center.interventions.controls import CONTROLS, Done
from playtest.center.interventions.group_controls import GROUP_CONTROLS, Group, counts, last_grant
from playtest.center.interventions.models import VoidReason
from playtest.center.interventions.queries import free_stations, panel
from playtest.center.interventions.services import MOST_CHARACTERS
from playtest.center.models import Slot
from playtest.people.access import StaffRequest, requires
from playtest.people.refusals import tell_refusal
from playtest.people.roles import Right
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Session
from playtest.rules.codes import display, spell
from playtest.rules.text import whole_number

FRAGMENT = "X-Fragment"
"""The header of requests by `static/center/controls.js`, which are answered with the fragment."""


@require_safe
@requires(Right.RUN_SESSIONS)
def controls(request: StaffRequest, pk: int) -> HttpResponse:
    """The controls of a session without a page around them."""
    get_object_or_404(Session, pk=pk)
    return _fragment(request, pk)


@require_POST
@requires(Right.RUN_SESSIONS)
def act(request: StaffRequest, pk: int, control: str) -> HttpResponse:
    """Does one thing to a session, once: the same form sent again changes nothing."""
    session = get_object_or_404(Session, pk=pk)
    done = Done("")
    try:
        with form_tokens.once(request, pk) as first:
            if first:
                done = CONTROLS[control](session, request.user, request.POST.dict())
    except Refusal as refusal:
        return _refused(request, pk, refusal)
    if FRAGMENT in request.headers:
        return _fragment(request, pk, done=done)
    if done.code:
        return render(request, "center/sessions/code.html", {"session": session, **shown_code(done.code)})
    if done.message:
        messages.success(request, done.message)
    return redirect("center:session", pk)


@require_safe
@requires(Right.RUN_SESSIONS)
def group_controls(request: StaffRequest) -> HttpResponse:
    """The controls for everybody, for one room (`?room=`) or for one slot (`?slot=`)."""
    return _group_fragment(request, _group(request.GET))


@require_POST
@requires(Right.RUN_SESSIONS)
def act_on_group(request: StaffRequest, control: str) -> HttpResponse:
    """Does one thing to all sessions of a group, once."""
    group = _group(request.POST)
    done, refusal = Done(""), None
    try:
        with form_tokens.once(request, 0) as first:
            if first:
                done = GROUP_CONTROLS[control](group, request.user, request.POST.dict())
    except Refusal as error:
        refusal = error
    if FRAGMENT in request.headers:
        return _group_fragment(request, group, done=done, refusal=refusal)
    if refusal is not None:
        tell_refusal(request, refusal)
    elif done.message:
        messages.success(request, done.message)
    return redirect("center:sessions") if group.slot is None else redirect("center:slot", group.slot.pk)


def group_context(group: Group) -> dict[str, Any]:
    """The values of `center/interventions/group.html`."""
    return {
        "group": group,
        "counts": counts(group),
        "granted": last_grant(group),
        "most_characters": MOST_CHARACTERS,
        "form_token": form_tokens.new_token(),
    }


def _group(fields: QueryDict) -> Group:
    """The group that the fields name; 404 for a slot that does not exist."""
    slot = None
    if "slot" in fields:
        slot = get_object_or_404(Slot, pk=whole_number(str(fields["slot"])) or 0)
    return Group(fields.get("room", ""), slot, "rehearsals" in fields)


def _group_fragment(
    request: StaffRequest, group: Group, *, done: Done | None = None, refusal: Refusal | None = None
) -> HttpResponse:
    context = group_context(group) | {"done": done, "refusal": refusal}
    status = 200 if refusal is None else refusal.status
    return render(request, "center/interventions/group.html", context, status=status)


def controls_context(pk: int) -> dict[str, Any]:
    """The values of `center/interventions/controls.html`."""
    return {
        "panel": panel(pk, now()),
        "stations": free_stations(),
        "void_reasons": VoidReason.choices,
        "most_characters": MOST_CHARACTERS,
        "form_token": form_tokens.new_token(),
    }


def shown_code(code: str) -> dict[str, str]:
    """A code as it is written and as it is read aloud."""
    return {"code": display(code), "spelling": spell(code)}


def _refused(request: StaffRequest, pk: int, refusal: Refusal) -> HttpResponse:
    if FRAGMENT in request.headers:
        return _fragment(request, pk, refusal=refusal)
    tell_refusal(request, refusal)
    return redirect("center:session", pk)


def _fragment(
    request: StaffRequest, pk: int, *, done: Done | None = None, refusal: Refusal | None = None
) -> HttpResponse:
    context = controls_context(pk) | {"done": done, "refusal": refusal}
    if done is not None and done.code:
        context |= shown_code(done.code)
    status = 200 if refusal is None else refusal.status
    return render(request, "center/interventions/controls.html", context, status=status)
