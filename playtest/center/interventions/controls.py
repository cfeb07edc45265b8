"""What the forms of the controls do: each reads its fields, calls one service, and says what was done.

A form that is about an environment carries the attempt's id as `attempt`. If another one is open by now,
nothing is done.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet

from playtest.center import form_tokens
from playtest.center.interventions.queries import voidable
from playtest.center.interventions.sentences import minutes
from playtest.center.interventions.services import add_note, checked_text, refuse_unless_open, void_attempt
from playtest.center.schedule.codes import before_its_time, give_code
from playtest.center.schedule.models import Booking
from playtest.center.stations.seating import move_session
from playtest.people.models import Staff
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Event, EventKind, Session, SessionEnd
from playtest.play.sessions.clocks import (
    calling_off_end,
    change,
    end_attempt_by_staff,
    granting,
    pausing,
    planning_end,
    resuming,
    taking_back,
)
from playtest.play.sessions.ends import end_session
from playtest.play.sessions.events import answer_call
from playtest.play.sessions.locks import locked_session
from playtest.play.sessions.services import reissue_code
from playtest.rules.text import counted, whole_number

type Fields = Mapping[str, str]
EVERY_ATTEMPT = "all"
"""In place of an attempt, to void all of a session."""


JUST_NOW = timedelta(minutes=1)
_OF_THE_FORM = {"csrfmiddlewaretoken", form_tokens.FIELD, "room", "slot"}


class GrantedJustNow(Refusal):
    """Somebody else granted time within JUST_NOW; with the fields `again` it is granted all the same."""

    def __init__(self, event: Event, seconds: int, fields: Fields) -> None:
        ago = round((now() - event.server_time).total_seconds())
        given, more = minutes(event.details["seconds"]), minutes(seconds)
        super().__init__("granted_just_now", f"{event.staff} granted {given} {ago} s ago: grant {more} more?")
        self.again = {name: text for name, text in fields.items() if name not in _OF_THE_FORM}
        self.again["despite"] = str(event.pk)
        self.button = f"Grant {more} more"


def refuse_after_another(sessions: Collection[int], staff: Staff, seconds: int, fields: Fields) -> None:
    """Refusal: granted_just_now. The sessions are locked, so that of two at the same moment one is asked."""
    last = standing_grant(changes_of_time(sessions, JUST_NOW).exclude(staff=staff))
    if last is not None and fields.get("despite") != str(last.pk):
        raise GrantedJustNow(last, seconds, fields)


def changes_of_time(sessions: Collection[int] | QuerySet[Session], within: timedelta) -> QuerySet[Event]:
    """What was granted to these sessions and taken back lately."""
    kinds = (EventKind.TIME_GRANTED, EventKind.TIME_TAKEN_BACK)
    found = Event.objects.filter(session__in=sessions, kind__in=kinds, server_time__gt=now() - within)
    return found.select_related("staff")


def standing_grant(changes: QuerySet[Event]) -> Event | None:
    """The last of these changes if it is a grant: one that was taken back is none."""
    last = changes.order_by("-pk").first()
    return last if last is not None and last.kind == EventKind.TIME_GRANTED else None


@dataclass(frozen=True)
class Done:
    """A sentence for the person who did it; `code` is a new check-in code, which is shown once."""

    message: str
    code: str = ""


def _pause(session: Session, staff: Staff, fields: Fields) -> Done:
    change(session, staff, pausing(asked_text(fields, "reason")))
    return Done("Paused. The clocks stand still.")


def _resume(session: Session, staff: Staff, fields: Fields) -> Done:
    change(session, staff, resuming())
    return Done("Resumed. The clocks run again.")


def _grant(session: Session, staff: Staff, fields: Fields) -> Done:
    seconds, environment, session_too = asked_time(fields)
    if environment:
        refuse_unless_open(session, _attempt(fields))
    reason = asked_text(fields, "reason")
    grant = granting(seconds, environment=environment, session_too=session_too, reason=reason)
    with transaction.atomic():
        locked_session(session.pk)
        refuse_after_another([session.pk], staff, seconds, fields)
        change(session, staff, grant)
    to = [name for name, given in (("environment", environment), ("session", session_too)) if given]
    return Done(f"Granted {minutes(seconds)} to the {' and the '.join(to)}.")


def _take_back(session: Session, staff: Staff, fields: Fields) -> Done:
    return Done(f"{minutes(change(session, staff, taking_back())['seconds'])} are taken back.")


def _end_soon(session: Session, staff: Staff, fields: Fields) -> Done:
    number = asked_minutes(fields)
    change(session, staff, planning_end(number))
    return Done(f"The session ends in {minutes(60 * number)}, and its page says so.")


def _go_on(session: Session, staff: Staff, fields: Fields) -> Done:
    change(session, staff, calling_off_end())
    return Done("The planned end is called off: the session goes on to its limit.")


def _end_attempt(session: Session, staff: Staff, fields: Fields) -> Done:
    attempt = refuse_unless_open(session, _attempt(fields))
    end_attempt_by_staff(session, staff)
    return Done(f"Environment {attempt.number} has ended.")


def _void(session: Session, staff: Staff, fields: Fields) -> Done:
    reason, text = fields.get("reason", ""), fields.get("text", "")
    if fields.get("attempt") == EVERY_ATTEMPT:
        with transaction.atomic():
            voided = [void_attempt(one, staff, reason, text) for one in voidable(session)]
        return Done(f"Void now: {counted(len(voided), 'attempt')} of this session.")
    attempt = session.attempts.filter(pk=_attempt(fields)).first()
    if attempt is None:
        raise Refusal("attempt_elsewhere", "This attempt belongs to another session.", status=400)
    void_attempt(attempt, staff, reason, text)
    return Done(f"The attempt at environment {attempt.number} is void.")


def _move(session: Session, staff: Staff, fields: Fields) -> Done:
    number = whole_number(fields.get("station", ""))
    if number is None:
        raise Refusal("station_unknown", "Choose a station.", status=400)
    move_session(session, number, staff, asked_text(fields, "reason"))
    return Done(f"Moved to station {number}. The same board is shown there.")


def _note(session: Session, staff: Staff, fields: Fields) -> Done:
    add_note(session, staff, fields.get("text", ""))
    return Done("Note added.")


def _answer(session: Session, staff: Staff, fields: Fields) -> Done:
    if not answer_call(session, staff):
        raise Refusal("no_call", "Nobody is calling here: somebody else has answered.")
    return Done("The call is answered.")


def _code(session: Session, staff: Staff, fields: Fields) -> Done:
    absent = Booking.objects.filter(session=session, session__checked_in_at=None)
    booking = absent.select_related("slot").first()
    if booking is not None and before_its_time(booking.slot):
        code = give_code(booking, staff)
        return Done(f"The old code is void. The new one is for {booking.slot}.", code)
    return Done("The old code and the old seat are void.", reissue_code(session, staff))


def _end(session: Session, staff: Staff, fields: Fields) -> Done:
    if not end_session(session, SessionEnd.ENDED_BY_STAFF, staff=staff):
        raise Refusal("session_ended", "This session has already ended.")
    return Done("The session has ended.")


def asked_minutes(fields: Fields) -> int:
    """The chosen number of minutes, or the person's own. Refusal: minutes_invalid."""
    chosen = fields.get("minutes", "")
    found = whole_number(fields.get("own_minutes", "") if chosen == "own" else chosen)
    if not found:
        raise Refusal("minutes_invalid", "Give a whole number of minutes, at least 1.", status=400)
    return found


def asked_time(fields: Fields) -> tuple[int, bool, bool]:
    """Seconds, and whether environment and session get them. Refusal: minutes_invalid, choice_unknown."""
    seconds, to = asked_minutes(fields) * 60, fields.get("to", "")
    if to not in ("environment", "session", "both"):
        raise Refusal("choice_unknown", "Choose what gets more time.", status=400)
    return seconds, to in ("environment", "both"), to in ("session", "both")


def asked_text(fields: Fields, name: str) -> str:
    """A line that may be empty. Refusal: text_too_long, text_not_one_line."""
    return checked_text(fields.get(name, ""), required=False)


def _attempt(fields: Fields) -> int:
    return whole_number(fields.get("attempt", "")) or 0


CONTROLS: Mapping[str, Callable[[Session, Staff, Fields], Done]] = {
    "pause": _pause,
    "resume": _resume,
    "grant": _grant,
    "take-back": _take_back,
    "end-soon": _end_soon,
    "go-on": _go_on,
    "end-attempt": _end_attempt,
    "void": _void,
    "move": _move,
    "note": _note,
    "answer": _answer,
    "code": _code,
    "end": _end,
}
"""Every control of one station, by the last part of its address."""
