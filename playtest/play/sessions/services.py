"""Sessions: creates them, checks people in, and takes each through its stages."""

import random
from collections.abc import Mapping
from datetime import datetime

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import translation
from django.utils.translation import gettext

from playtest.people.languages import offered
from playtest.people.models import Consent, Participant, Staff, Survey, Withdrawal
from playtest.people.participants import records_of
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import EventKind, Session, SessionEnd, Study
from playtest.play.sessions.ends import end_session, locked_and_served
from playtest.play.sessions.events import log
from playtest.play.sessions.locks import locked_sessions, locked_study
from playtest.play.sessions.notifications import notify_after_commit
from playtest.play.sessions.quota import (
    candidates,
    refuse_code_if_nothing_left,
    refuse_seat_if_nothing_left,
    refuse_without_places,
)
from playtest.play.sessions.reads import Stage, session_time_is_over, stage
from playtest.play.sessions.seats import hashed, new_token, refuse_unless_served
from playtest.play.sessions.studies import freeze_protocol
from playtest.rules.codes import LIFETIME, new_code, normalise
from playtest.rules.errors import RuleError
from playtest.rules.survey import Answer


def create_session(
    study: Study,
    participant: Participant,
    staff: Staff | None,
    *,
    code_expires_at: datetime | None = None,
    has_place: bool = False,
    another: bool = False,
    language: str = settings.LANGUAGE_CODE,
) -> tuple[Session, str]:
    """Create a session; returns it and its code, which cannot be read again later.

    The code expires after `codes.LIFETIME`, or when given. `has_place`: the place is promised already.
    `another`: staff have decided that the person gets one beside a session that is open. `language`: one of
    `settings.LANGUAGES`, until the participant chooses another.

    Refusal: study_closed, participant_withdrawn, session_open, study_full, everything_met, the refusals of
    `refuse_without_places`, or the study is not served here.
    """
    refuse_unless_served(study)
    if not study.open:
        raise Refusal("study_closed", "This study is closed. Open it first, or choose another.")
    if Withdrawal.objects.filter(participant=participant).exists():
        raise Refusal("participant_withdrawn", "This person withdrew their consent and cannot play again.")
    with transaction.atomic():
        locked_study(study.pk)
        if not another:
            _refuse_open_session(participant)
        pool = candidates(study)
        refuse_code_if_nothing_left(study, participant, pool)
        if not has_place:
            refuse_without_places(study, pool=pool)
        code, code_hash = _unused_code()
        session = Session.objects.create(
            study=study,
            participant=participant,
            code_hash=code_hash,
            code_expires_at=code_expires_at or now() + LIFETIME,
            language=language,
            created_at=now(),
            created_by=staff,
        )
        log(session, EventKind.SESSION_CREATED, staff=staff)
    return session, code


def _refuse_open_session(participant: Participant) -> None:
    """Refusal session_open, if the person sits in a session, under whichever record."""
    Participant.objects.select_for_update(no_key=True).get(pk=participant.pk)  # two desks at once
    of_person = Session.objects.filter(participant__in=records_of([participant.pk])[participant.pk])
    for session in of_person.filter(checked_in_at__isnull=False, ended_at__isnull=True):
        if not session_time_is_over(session, now()):
            raise Refusal(
                "session_open",
                f"This person has an open session: number {session.pk} of {session.study}. End it first, or"
                " choose that they get another one.",
            )


def reissue_code(
    session: Session, staff: Staff | None, *, code_expires_at: datetime | None = None, has_place: bool = False
) -> str:
    """Replace the code of a session; the old code and its seat are void. The arguments as `create_session`.

    Refusal: session_ended; study_full, everything_met and no_places before the first check-in. A session
    whose code has expired needs a place again.
    """
    with transaction.atomic():
        locked_study(session.study_id)
        session = locked_and_served(session)
        if session.ended_at:
            raise Refusal("session_ended", "This session has ended. Create a new one.")
        if session.checked_in_at is None:
            refuse_code_if_nothing_left(session.study, session.participant)
            if _code_expired(session) and not has_place:
                refuse_without_places(session.study)
        code, session.code_hash = _unused_code()
        session.code_used_at, session.seat_hash = None, ""
        session.code_expires_at = code_expires_at or now() + LIFETIME
        session.save(update_fields=["code_hash", "code_expires_at", "code_used_at", "seat_hash"])
        log(session, EventKind.CODE_REISSUED, staff=staff)
        notify_after_commit(session.pk)
    return code


def check_in(code_text: str, station: int | None) -> tuple[Session, str]:
    """Check in with a code; returns the session and its new seat token.

    At the first check-in the session gets the newest version of its study's protocol, which is frozen then.

    Refusal: code_malformed, code_unknown, code_used, code_expired, session_ended, or the study is not served
    here; study_full and everything_met at the first check-in.
    A later check-in continues the session, whatever is left to play.
    """
    try:
        code = normalise(code_text)
    except RuleError as error:
        raise Refusal(error.code, error.message, status=400) from error
    with transaction.atomic():
        session = _locked_by_code(hashed(code))
        if session is None:
            raise Refusal(
                "code_unknown", "We do not know this code. Please check it, or ask a member of staff."
            )
        refuse_unless_served(session.study)
        if session.code_used_at:
            raise Refusal("code_used", "This code has been used. Please ask a member of staff for a new one.")
        if session.ended_at or session_time_is_over(session, now()):
            raise Refusal("session_ended", "This session has ended. Please ask a member of staff.")
        if _code_expired(session):
            raise Refusal(
                "code_expired", "This code has expired. Please ask a member of staff for a new one."
            )
        if session.checked_in_at is None:
            refuse_seat_if_nothing_left(session)
            session.protocol = freeze_protocol(session.study)
        token = new_token()
        session.code_used_at, session.seat_hash, session.station = now(), hashed(token), station
        session.checked_in_at = session.checked_in_at or session.code_used_at
        session.save(update_fields=["code_used_at", "seat_hash", "station", "checked_in_at", "protocol"])
        log(session, EventKind.CHECKED_IN, details={"station": station})
    return session, token


def choose_language(session: Session, language: str) -> None:
    """The language of the participant's pages, chosen before consent; what is not offered changes nothing."""
    chosen = offered(language)
    if chosen and Session.objects.filter(pk=session.pk, consent=None).update(language=chosen):
        session.language = chosen


def give_consent(session: Session) -> None:
    """Record the text that the participant agreed to. Refusal: not_now."""
    with transaction.atomic():
        session = _at(session, Stage.CONSENT)
        with translation.override(session.language):
            read = gettext(session.prescribed.consent_text)
        session.consent = Consent.objects.create(participant=session.participant, text=read, given_at=now())
        if not session.prescribed.survey:
            session.survey = _survey(session, {})
        session.save(update_fields=["consent", "survey"])
        log(session, EventKind.CONSENT_GIVEN)


def decline_consent(session: Session) -> None:
    """End the session without having recorded any play. Refusal: not_now."""
    with transaction.atomic():
        session = _at(session, Stage.CONSENT)
        log(session, EventKind.CONSENT_DECLINED)
        end_session(session, SessionEnd.DECLINED)


def answer_survey(session: Session, answers: Mapping[str, Answer]) -> None:
    """Record the answers; skipped questions are absent. Refusal: not_now."""
    with transaction.atomic():
        session = _at(session, Stage.SURVEY)
        session.survey = _survey(session, answers)
        session.save(update_fields=["survey"])


def _survey(session: Session, answers: Mapping[str, Answer]) -> Survey:
    return Survey.objects.create(participant=session.participant, answers=answers, answered_at=now())


def finish_tutorial(session: Session) -> None:
    """Record that the tutorial is done. Refusal: not_now."""
    with transaction.atomic():
        session = _at(session, Stage.TUTORIAL)
        session.tutorial_done_at = now()
        session.save(update_fields=["tutorial_done_at"])
        log(session, EventKind.TUTORIAL_DONE)


def _locked_by_code(code_hash: str) -> Session | None:
    """Lock the study's row, then the session's, in the order in which both are locked elsewhere."""
    found = Session.objects.filter(code_hash=code_hash).values_list("pk", "study").first()
    if found is None:
        return None
    session, study = found
    locked_study(study)
    return next((one for one in locked_sessions([session]) if one.code_hash == code_hash), None)


def _at(session: Session, expected: Stage) -> Session:
    session = locked_and_served(session)
    if stage(session, now()) != expected:
        raise Refusal("not_now", "This step is already done. Continue on this page.")
    return session


def _code_expired(session: Session) -> bool:
    return session.code_expires_at is not None and now() >= session.code_expires_at


def _unused_code() -> tuple[str, str]:
    for _ in range(20):
        code = new_code(random.SystemRandom())
        if not Session.objects.filter(code_hash=hashed(code)).exists():
            return code, hashed(code)
    raise IntegrityError("twenty random codes were all taken")
