"""What reviews add to staff pages, their search, and the record."""

from functools import partial
from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from playtest.center.interventions.queries import voided_attempts
from playtest.people.append_only import Protected, differs, same
from playtest.people.manifests import Manifest, Part
from playtest.people.models import Participant, Staff
from playtest.people.roles import Right
from playtest.people.search import Kind
from playtest.play.models import Session
from playtest.review import search_kinds
from playtest.review.home import (
    exports_to_repeat,
    faults_to_acknowledge,
    newest_results,
    newest_who_left,
    results_since,
    sessions_to_review,
)
from playtest.review.models import RUN_KINDS, Collection, ExportKind
from playtest.review.queries.attempts import unacknowledged_faults
from playtest.review.queries.effort import flags
from playtest.review.queries.exclusions import cannot_count
from playtest.review.services.dataset import KINDS, make_dataset
from playtest.review.services.person_export import make_person


def _collection(pk: int) -> str:
    return Collection.objects.values_list("name", flat=True).filter(pk=pk).first() or ""


def _fault_notice(staff: Staff | None, request: HttpRequest) -> dict[str, Any]:
    """The number of faults to acknowledge; 0 for who may not watch attempts, and at home, which lists it."""
    may_open = staff is not None and staff.may(Right.WATCH_ATTEMPTS)
    shown = may_open and request.path != reverse("people:home")
    return {"faults": unacknowledged_faults().count() if shown else 0}


def _effort_flags(staff: Staff | None, session: Session) -> dict[str, Any]:
    """The flags of a session so far, with links for staff with the right to follow them."""
    return {
        "session": session,
        "flags": list(flags().filter(session=session)),
        "void": set(voided_attempts().filter(session=session).values_list("pk", flat=True)),
        "may_watch": staff is not None and staff.may(Right.WATCH_ATTEMPTS),
        "may_review": staff is not None and staff.may(Right.REVIEW_EFFORT),
    }


def _person_data(staff: Staff | None, person: Participant) -> dict[str, Any]:
    """The way to what is stored of a person, for staff who may delete it."""
    return {"person": person, "may": staff is not None and staff.may(Right.WITHDRAW)}


_OF_TOKENS = ("id", "study_id", "name", "token_hash", "hint", "created_at", "created_by_id", "expires_at")
MANIFEST = Manifest(
    not_counted=(cannot_count,),
    titles={
        "review:attempt": "Attempt {pk}",
        "review:attempt-exports": "Exports",
        "review:stored-recording": "Recording {pk}",
        "review:collection": _collection,
        "review:case": "Session {pk}",
        "review:agreement": "Agreement",
        "review:decisions": "Decisions",
        "review:data-opening": "How to open the files",
        "review:read-tokens": "Read tokens",
    },
    kinds=(
        Kind("attempt", "Attempts", Right.WATCH_ATTEMPTS, search_kinds.attempts),
        Kind("run", "Runs of agents", Right.READ_BOARDS, search_kinds.runs, ("attempt",)),
        Kind("play", "Internal plays", Right.PLAY_INTERNALLY, search_kinds.internal_plays, ("attempt",)),
        Kind("person", "People", Right.WATCH_ATTEMPTS, search_kinds.people),
        Kind("session", "Sessions to review", Right.REVIEW_EFFORT, search_kinds.sessions),
        Kind("collection", "Collections", Right.WATCH_ATTEMPTS, search_kinds.collections),
    ),
    exports={ExportKind.PERSON: make_person, **dict.fromkeys(KINDS, make_dataset)},
    parts=(
        Part("person", "review/person-data.html", _person_data),
        Part("home-researcher", "review/home-attempts.html", newest_results),
        Part("home-designer", "review/home-attempts.html", newest_who_left),
        Part("home-lead", "review/home-attempts.html", newest_who_left),
        Part("staff", "review/fault-notice.html", _fault_notice),
        Part("session", "review/flags.html", _effort_flags),
    ),
    waiting_at_home=(
        ("review:queue", sessions_to_review),
        ("review:attempts", faults_to_acknowledge),
        ("review:exports", partial(exports_to_repeat, [*{*ExportKind}.difference(RUN_KINDS)])),
    ),
    new_at_home=(("review:attempts", "attempt that counts", "attempts that count", results_since),),
    protected=(
        Protected(
            "review_decision",
            "SELECT participant_id FROM play_session WHERE id = OLD.session_id",
            (same("confirms_id"), same("answers_id"), same("settles_id"), same("reverses_id")),
        ),
        Protected(
            "review_readtoken",
            unique=(same("token_hash"),),
            changed=f"{differs(*_OF_TOKENS)} OR OLD.revoked_at IS NOT NULL AND {differs('revoked_at')}",
            columns=(*_OF_TOKENS[1:], "revoked_at", "revoked_by_id"),
        ),
    ),
)
