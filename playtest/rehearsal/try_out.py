"""A rehearsal that opens at its first environment by itself, for whoever has just started the product.

It is offered on this machine alone, and only where nobody else can connect. Its study is a rehearsal, so
nothing of it counts towards anything.
"""

from dataclasses import replace
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import rotate_token
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from playtest.center.stations import devices
from playtest.people.access import declares
from playtest.people.languages import COOKIE, offered
from playtest.people.models import Staff
from playtest.people.rate_limits import client_address
from playtest.people.roles import Audience
from playtest.people.services import new_participant
from playtest.play.errors import Refusal
from playtest.play.models import Session, Study
from playtest.play.sessions import services
from playtest.play.sessions.ends import open_next_or_end
from playtest.play.sessions.seats import set_seat
from playtest.play.sessions.studies import create_study
from playtest.rules.acceptance import Acceptance
from playtest.rules.pay import Pay
from playtest.rules.protocol import DEFAULT
from playtest.serve.deployment import from_this_machine
from playtest.studio.models import Environment

NAME = "Try-outs"
_PROTOCOL = replace(
    DEFAULT,
    acceptance=Acceptance(people=100_000, solvers=2),
    pay=Pay(fee=Decimal("0.00"), bonus=Decimal("0.00")),
    consent_text="A rehearsal on this machine. Nothing of it counts.",
    survey=(),
    debrief=False,
    review_share=0.0,
)
_OF_OUR_OWN_PAGE = ("none", "same-origin")
"""Values of Sec-Fetch-Site: an address that somebody entered, or a link of ours."""


@declares(Audience.ANYONE)
@never_cache
@require_GET
def try_out(request: HttpRequest) -> HttpResponse:
    """Opens a new session at its first environment; the welcome page if that is not offered here."""
    if not _is_offered(request) or request.headers.get("Sec-Fetch-Site", "none") not in _OF_OUR_OWN_PAGE:
        return redirect("center:welcome")
    try:
        session, token = begin(offered(request.COOKIES.get(COOKIE)) or settings.LANGUAGE_CODE)
    except Refusal:  # there is no environment, or staff have closed its study
        return redirect("center:welcome")
    response = redirect("play:session")
    set_seat(response, session, token)
    rotate_token(request)
    return response


def begin(language: str = settings.LANGUAGE_CODE) -> tuple[Session, str]:
    """A new person's session in a language with its first environment open, and the seat's token.

    Refusal: pool_empty, name_taken, and as `create_session`.
    """
    with transaction.atomic():
        created, code = services.create_session(
            _study(), new_participant(), None, has_place=True, language=language
        )
        session, token = services.check_in(code, None)
        services.give_consent(session)
        services.finish_tutorial(session)
    open_next_or_end(created.pk)
    return session, token


def _study() -> Study:
    """The open study of all try-outs, created when the first begins."""
    if found := Study.objects.filter(name=NAME, rehearsal=True, open=True).first():
        return found
    pool = Environment.objects.interactive().filter(current__isnull=False).order_by("code")
    return create_study(None, name=NAME, pool=pool, protocol=_PROTOCOL, rehearsal=True)


def _is_offered(request: HttpRequest) -> bool:
    return from_this_machine(client_address(request))


def offer(_reader: Staff | None, request: HttpRequest) -> dict[str, Any]:
    """The address of a try-out for the welcome page; nothing elsewhere, or at a station."""
    offered = _is_offered(request) and devices.COOKIE not in request.COOKIES
    return {"address": reverse("rehearsal:try-out") if offered else ""}
