"""Events as sentences, for the time line of a session and for its replays.

Subject of a sentence is the member of staff who did it, or what happened. Text that people wrote is quoted.
"""

from collections.abc import Callable, Mapping
from typing import Any

from playtest.center.interventions.models import VoidReason
from playtest.play.models import Event, EventKind, SessionEnd
from playtest.rules.attempt import Outcome
from playtest.rules.labels import OUTCOME_LABELS
from playtest.rules.text import counted

type Details = Mapping[str, Any]

_FIXED = {
    EventKind.CONNECTED: "The participant's page connected",
    EventKind.DISCONNECTED: "The participant's page disconnected",
    EventKind.SUPERSEDED: "The page was opened again in another window, which took over",
    EventKind.PAGE_HIDDEN: "The page was hidden",
    EventKind.PAGE_SHOWN: "The page was shown again",
    EventKind.WINDOW_BLURRED: "Another window was in front",
    EventKind.WINDOW_FOCUSED: "The window was in front again",
    EventKind.PATTERNS_ON: "The participant switched patterns on",
    EventKind.PATTERNS_OFF: "The participant switched patterns off",
    EventKind.SUBMISSION_REPEATED: "A grid was submitted once more, which does not count",
    EventKind.PAINTED: "The page reported how fast it had shown the last action",
    EventKind.PROMPT_SHOWN: "The soft limit's question was shown",
    EventKind.REBUILT: "The environment was rebuilt from its journal",
    EventKind.CONSENT_GIVEN: "The participant gave consent",
    EventKind.CONSENT_DECLINED: "The participant declined consent",
    EventKind.TUTORIAL_DONE: "The participant finished the tutorial",
    EventKind.SESSION_CREATED: "The session was created",
    EventKind.CODE_REISSUED: "A new code was created, and the old one is void",
    EventKind.FAULT_ACKNOWLEDGED: "The fault was acknowledged",
    EventKind.PROCTOR_CALLED: "The participant called a member of staff",
    EventKind.CALL_ANSWERED: "The call was answered",
}
_ANSWERS = {"finish": "finish now", "continue": "keep going"}


def describe(event: Event) -> str:
    """What happened as a sentence, without who did it and without a full stop."""
    return sentence(EventKind(event.kind), event.details)


def sentence(kind: EventKind, details: Details) -> str:
    """What an event of this kind with these details says."""
    return _FIXED[kind] if kind in _FIXED else _SPOKEN[kind](details)


def minutes(seconds: int) -> str:
    """A duration in words: "5 minutes", "1 minute", "90 seconds"."""
    return counted(seconds, "second") if seconds % 60 else counted(seconds // 60, "minute")


def _with_all(details: Details) -> str:
    return " with everybody's" if details.get("all") else ""


def _quoted(start: str, text: str) -> str:
    return f"{start}: “{text}”" if text else start


def _prompt_answered(details: Details) -> str:
    answer = details.get("answer", "")
    return f"The participant answered the soft limit's question: {_ANSWERS.get(answer, answer)}"


def _attempt_ended(details: Details) -> str:
    return f"The environment ended: {OUTCOME_LABELS[Outcome(details['outcome'])]}"


def _fault(details: Details) -> str:
    action = f" at action {details['seq']}" if details.get("seq") else ""
    code = f": {details['code']}" if details.get("code") else ""
    return f"The environment failed{action}{code}"


def _checked_in(details: Details) -> str:
    station = details.get("station")
    return "The participant checked in" + ("" if station is None else f" at station {station}")


def _session_ended(details: Details) -> str:
    return f"The session ended{_with_all(details)}: {SessionEnd(details['reason']).label}"


def _paused(details: Details) -> str:
    if details.get("own"):
        return "The station's connection was lost: its clocks stopped"
    if details.get("outage"):
        return "Nothing could be recorded: all clocks stopped"
    return _quoted(f"The session was paused{_with_all(details)}", details.get("reason", ""))


def _resumed(details: Details) -> str:
    if details.get("own"):
        return "The station's clocks ran on: it was back, or the time allowed for that was used up"
    if details.get("outage"):
        return "Play could be recorded again: all clocks ran on"
    return f"The session was resumed{_with_all(details)}"


def _granted(details: Details) -> str:
    to = [name for name in ("environment", "session") if details.get(name)]
    everybody = ", as to everybody" if details.get("all") else ""
    granted = f"{minutes(details['seconds'])} granted to the {' and the '.join(to)}{everybody}"
    return _quoted(granted, details.get("reason", ""))


def _announced(details: Details) -> str:
    everybody = " to everybody" if details.get("all") else ""
    return f"“{counted(details['minutes'], 'minute')} left” was announced{everybody}"


def _moved(details: Details) -> str:
    left = f" from station {details['from']}" if details.get("from") is not None else ""
    to = f" to station {details['to']}" if details.get("to") is not None else " away from its station"
    return _quoted(f"The session was moved{left}{to}", details.get("reason", ""))


def _voided(details: Details) -> str:
    return _quoted(f"The attempt was voided: {VoidReason(details['reason']).label}", details.get("text", ""))


_SPOKEN: Mapping[EventKind, Callable[[Details], str]] = {
    EventKind.PROMPT_ANSWERED: _prompt_answered,
    EventKind.ATTEMPT_ENDED: _attempt_ended,
    EventKind.ENVIRONMENT_FAULT: _fault,
    EventKind.CHECKED_IN: _checked_in,
    EventKind.SESSION_ENDED: _session_ended,
    EventKind.PAUSED: _paused,
    EventKind.RESUMED: _resumed,
    EventKind.TIME_GRANTED: _granted,
    EventKind.TIME_TAKEN_BACK: lambda details: (
        f"{minutes(details['seconds'])} granted before were taken back"
    ),
    EventKind.TIME_ANNOUNCED: _announced,
    EventKind.END_PLANNED: lambda details: f"The session was to end in {minutes(details['seconds'])}",
    EventKind.END_CALLED_OFF: lambda _: "The planned end was called off",
    EventKind.STATION_CHANGED: _moved,
    EventKind.NOTE_ADDED: lambda details: _quoted("Note", details["text"]),
    EventKind.ATTEMPT_VOIDED: _voided,
    EventKind.SET_ASIDE: lambda _: "The participant set the task aside",
    EventKind.TAKEN_UP: lambda _: "The participant went back to the task",
    EventKind.VOID_REVERSED: lambda details: _quoted("The void was reversed", details["text"]),
}
