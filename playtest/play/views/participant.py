"""The participant's pages after check-in, one for each stage; the call for staff, and answers afterwards."""

import json
from collections.abc import Callable
from functools import wraps
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import translation
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from playtest.people.access import declares
from playtest.people.languages import remember_language
from playtest.people.rate_limits import allow
from playtest.people.roles import Audience
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import NOTHING_TO_PLAY, Session, SessionEnd
from playtest.play.sessions.debriefs import QUESTIONS, answer_debrief, asked_about, attempt_of, questions_of
from playtest.play.sessions.ends import open_next_or_end
from playtest.play.sessions.events import call_proctor
from playtest.play.sessions.page_content import (
    TEMPLATES,
    asked,
    bonus_text,
    context_of,
    earned_text,
    incentive_of,
    part_after,
    part_of,
)
from playtest.play.sessions.reads import Stage, announced, calling_since, last_attempt, stage
from playtest.play.sessions.seats import clear_seat, seated_session
from playtest.play.sessions.services import (
    answer_survey,
    choose_language,
    decline_consent,
    finish_tutorial,
    give_consent,
)
from playtest.play.sessions.status import solved_in
from playtest.rules.debrief import answers_of
from playtest.rules.errors import RuleError
from playtest.rules.survey import answers_in

PAGES = {
    Stage.CONSENT: "play:consent",
    Stage.SURVEY: "play:survey",
    Stage.TUTORIAL: "play:tutorial",
    Stage.PLAYING: "play:board",
    Stage.PAUSE: "play:board",
    Stage.OVER: "play:thanks",
}

_ADDRESSES = {"socket": "/ws/session/", "over": "/session/", "refused": "/"}
"""Of the page of the board: its socket, where it goes when nothing is left to play, and without a seat."""

type View = Callable[[HttpRequest], HttpResponse]
type SeatedView = Callable[[HttpRequest, Session], HttpResponse]


def at(*stages: Stage) -> Callable[[SeatedView], View]:
    """A page of these stages only, never cached; at another stage it redirects to that stage's page."""

    def decorate(view: SeatedView) -> View:
        @declares(Audience.SEAT)
        @never_cache
        @wraps(view)
        def staged(request: HttpRequest) -> HttpResponse:
            session = seated_session(request)
            if session is None:
                return redirect("center:welcome")
            if stage(session, now()) not in stages:
                return redirect("play:session")
            try:
                with translation.override(session.language):
                    return view(request, session)
            except Refusal:  # another window was quicker
                return redirect("play:session")

        return staged

    return decorate


@at(*Stage)
def session_page(request: HttpRequest, session: Session) -> HttpResponse:
    """Redirects to the page of the session's stage."""
    return redirect(PAGES[stage(session, now())])


@declares(Audience.ANYONE)
@require_GET
@never_cache
def page(request: HttpRequest) -> HttpResponse:
    """For pages without a socket: where this browser belongs, and what staff have paused or announced.

    JSON {"page": path, "paused": bool, "announced": {"number": int, "minutes": int} or null}. Announcements
    have increasing numbers; one is told for a few seconds.
    """
    session = seated_session(request)
    if session is None:
        return JsonResponse({"page": reverse("center:welcome"), "paused": False, "announced": None})
    address = reverse(PAGES[stage(session, now())])
    paused = session.paused_at is not None
    return JsonResponse({"page": address, "paused": paused, "announced": announced(session, now())})


@require_http_methods(["GET", "POST"])
@at(Stage.CONSENT)
def consent(request: HttpRequest, session: Session) -> HttpResponse:
    """Shows the study's consent text; records the answer, or another language, in which it is shown again."""
    if "language" in request.POST:
        choose_language(session, request.POST["language"])
        response = redirect("play:consent")
        remember_language(response, session.language)
        return response
    match request.POST.get("answer"):
        case "agree":
            give_consent(session)
        case "decline":
            decline_consent(session)
        case _:
            return _page(
                request,
                session,
                "consent",
                languages=settings.LANGUAGES,
                text=session.prescribed.consent_text,
                incentive=incentive_of(session),
            )
    return redirect("play:session")


@require_http_methods(["GET", "POST"])
@at(Stage.SURVEY)
def survey(request: HttpRequest, session: Session) -> HttpResponse:
    """Asks the questions of the survey; records the answers, and asks again while one is wrong."""
    questions, wrong = session.prescribed.survey, dict[str, RuleError]()
    if request.method == "POST":
        answers, wrong = answers_in(questions, request.POST)
        if not wrong:
            answer_survey(session, answers)
            return redirect("play:session")
    shown = asked(questions, request.POST, wrong)
    return _page(request, session, "survey", questions=shown, session_key=session.pk)


@require_http_methods(["GET", "POST"])
@at(Stage.TUTORIAL)
def tutorial(request: HttpRequest, session: Session) -> HttpResponse:
    """Lets the participant try each control, part by part; then opens the first environment."""
    part = part_of(session.study, request.GET.get("part"))
    if request.method == "POST":
        if following := part_after(session.study, part):
            return redirect(f"{reverse('play:tutorial')}?{urlencode({'part': following})}")
        finish_tutorial(session)
        open_next_or_end(session.pk)  # the button said Start: no pause before the first environment
        return redirect("play:session")
    context = context_of(session.study, part)
    return _page(request, session, TEMPLATES[part], session_key=session.pk, **context)


@require_GET
@at(Stage.PLAYING, Stage.PAUSE)
def board(request: HttpRequest, session: Session) -> HttpResponse:
    """The board with its controls, and the pause between environments."""
    own = {"session_key": session.pk, "bonus": bonus_text(session), "questions": questions_of(session)}
    return _page(request, session, "board", **own, **_ADDRESSES)


@require_GET
@at(Stage.OVER)
def thanks(request: HttpRequest, session: Session) -> HttpResponse:
    """Show the last page, and free the seat for the next person."""
    last, solved = last_attempt(session), solved_in(session)
    context = {
        "declined": session.end_reason == SessionEnd.DECLINED,
        "time_over": session.end_reason in ("", SessionEnd.TIME_OVER),  # "": the sweep will say so
        "solved": solved if last else None,
        "earned": earned_text(session, solved),
        "nothing_left": session.end_reason in NOTHING_TO_PLAY,
        "met_before": session.end_reason == SessionEnd.POOL_USED_UP,
        "outcome": last.outcome if last else None,
        "questions": QUESTIONS,
        "asked": asked_about(last),
    }
    response = render(request, "play/thanks.html", context)
    clear_seat(response)
    return response


def _page(request: HttpRequest, session: Session, name: str, **context: object) -> HttpResponse:
    """A page with the button that calls a member of staff, covered while the session is paused."""
    everywhere = {"called": calling_since(session) is not None, "paused": session.paused_at is not None}
    return render(request, f"play/{name}.html", {**everywhere, **context})


CALLS = 6
WINDOW_SECONDS = 60


@declares(Audience.SEAT)
@require_http_methods(["GET", "POST"])
@never_cache
def call(request: HttpRequest) -> HttpResponse:
    """Calls a member of staff (POST); answers whether a call waits for one.

    A page without JavaScript is sent back to its session.
    Refusal: no_seat (403), too_many_calls (429), not_now.
    """
    session = seated_session(request)
    try:
        if session is None:
            raise Refusal("no_seat", "This page has no session. Please raise your hand.", status=403)
        if request.method == "POST":
            _call(session)
        answer: dict[str, object] = {"called": calling_since(session) is not None}
        status = 200
    except Refusal as refusal:
        answer, status = {"code": refusal.code, "message": refusal.message}, refusal.status
    if request.get_preferred_type(["text/html", "application/json"]) == "application/json":
        return JsonResponse(answer, status=status)
    return redirect("play:session")


def _call(session: Session) -> None:
    if not allow(f"call:{session.pk}", CALLS, WINDOW_SECONDS):
        message = "You have called several times in a minute. Please raise your hand."
        raise Refusal("too_many_calls", message, status=429)
    call_proctor(session)


SAVED = 120
DEBRIEF_WINDOW_SECONDS = 60


@declares(Audience.ANYONE)
@require_POST
@never_cache
def debrief(request: HttpRequest) -> JsonResponse:
    """Stores the answers that are in the body: {"token": text, "difficulty": 1 to 5 or null, "about": text}.

    Open to whoever has a token that a participant's page got (`play.sessions.debriefs`). Answers {"saved":
    true}, or {"code", "message"}: debrief_malformed (400), difficulty_unknown (400), about_too_long (400),
    debrief_unknown (403), debrief_over (409), too_many_answers (429).
    """
    try:
        _store(request.body if request.content_type == "application/json" else b"")
    except RuleError as error:
        return JsonResponse({"code": error.code, "message": error.message}, status=error.status)
    return JsonResponse({"saved": True})


def _store(body: bytes) -> None:
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):  # neither JSON nor, at times, text
        document = None
    answers = answers_of(document)
    attempt = attempt_of(str(document.get("token")))
    if not allow(f"debrief:{attempt}", SAVED, DEBRIEF_WINDOW_SECONDS):
        raise Refusal("too_many_answers", "Wait a minute, then change it again.", status=429)
    answer_debrief(attempt, answers)
