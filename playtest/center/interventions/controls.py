"""What the forms of the controls do: each reads its fields, calls one service, and says what was done.

A form that is about an environment carries the attempt's id as `attempt`. If another one is open by now,
nothing is done.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from playtest.center.interventions.sentences import minutes
from playtest.center.interventions.services import add_note, checked_text, refuse_unless_open, void_attempt
from playtest.center.stations.seating import move_session
from playtest.people.models import Staff
from playtest.play.errors import Refusal
from playtest.play.models import Session, SessionEnd
from playtest.play.sessions.calls import answer_call
from playtest.play.sessions.clocks import end_attempt_by_staff, grant_time, pause, resume
from playtest.play.sessions.ends import end_session
from playtest.play.sessions.services import reissue_code
from playtest.rules.text import whole_number

type Fields = Mapping[str, str]


@dataclass(frozen=True)
class Done:
    """A sentence for the person who did it; `code` is a new check-in code, which is shown once."""

    message: str
    code: str = ""


def _pause(session: Session, staff: Staff, fields: Fields) -> Done:
    pause(session, staff, asked_text(fields, "reason"))
    return Done("Paused. The clocks stand still.")


def _resume(session: Session, staff: Staff, fields: Fields) -> Done:
    resume(session, staff)
    return Done("Resumed. The clocks run again.")


def _grant(session: Session, staff: Staff, fields: Fields) -> Done:
    seconds, environment, session_too = asked_time(fields)
    if environment:
        refuse_unless_open(session, _attempt(fields))
    reason = asked_text(fields, "reason")
    grant_time(session, staff, seconds, environment=environment, session_too=session_too, reason=reason)
    to = [name for name, given in (("environment", environment), ("session", session_too)) if given]
    return Done(f"Granted {minutes(seconds)} to the {' and the '.join(to)}.")


def _end_attempt(session: Session, staff: Staff, fields: Fields) -> Done:
    attempt = refuse_unless_open(session, _attempt(fields))
    end_attempt_by_staff(session, staff)
    return Done(f"Environment {attempt.number} has ended.")


def _void(session: Session, staff: Staff, fields: Fields) -> Done:
    attempt = session.attempts.filter(pk=_attempt(fields)).first()
    if attempt is None:
        raise Refusal("attempt_elsewhere", "This attempt belongs to another session.", status=400)
    void_attempt(attempt, staff, fields.get("reason", ""), fields.get("text", ""))
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
    "end-attempt": _end_attempt,
    "void": _void,
    "move": _move,
    "note": _note,
    "answer": _answer,
    "code": _code,
    "end": _end,
}
"""Every control of one station, by the last part of its address."""
