"""Every kind of event is a sentence."""
# ruff: noqa: E501

import pytest

from playtest.center.interventions.sentences import sentence
from playtest.play.models import EventKind

SENTENCES = [
    ("prompt_answered", {"answer": "continue"}, "The participant answered the soft limit's question: keep going"),
    ("attempt_ended", {"outcome": "ended_by_staff"}, "The environment ended: ended by staff"),
    ("environment_fault", {"code": "environment_raised", "seq": 3}, "The environment failed at action 3: environment_raised"),
    ("checked_in", {"station": 4}, "The participant checked in at station 4"),
    ("checked_in", {"station": None}, "The participant checked in"),
    ("session_ended", {"reason": "no_show"}, "The session ended: the participant did not come"),
    ("paused", {"reason": "fire alarm", "all": True}, "The session was paused with everybody's: “fire alarm”"),
    ("paused", {"reason": "", "all": False}, "The session was paused"),
    ("resumed", {"all": False}, "The session was resumed"),
    ("resumed", {"all": True}, "The session was resumed with everybody's"),
    ("time_granted", {"seconds": 300, "environment": True, "session": True, "reason": "it hung"}, "5 minutes granted to the environment and the session: “it hung”"),
    ("time_granted", {"seconds": 90, "environment": False, "session": True, "reason": ""}, "90 seconds granted to the session"),
    ("time_taken_back", {"seconds": 300}, "5 minutes granted before were taken back"),
    ("end_planned", {"seconds": 300}, "The session was to end in 5 minutes"),
    ("end_called_off", {}, "The planned end was called off"),
    ("time_announced", {"minutes": 1}, "“1 minute left” was announced"),
    ("time_granted", {"seconds": 300, "environment": False, "session": True, "reason": "", "all": True}, "5 minutes granted to the session, as to everybody"),
    ("time_announced", {"minutes": 5, "all": True}, "“5 minutes left” was announced to everybody"),
    ("session_ended", {"reason": "ended_by_staff", "all": True}, "The session ended with everybody's: staff ended it"),
    ("station_changed", {"from": 2, "to": 5, "reason": "broken mouse"}, "The session was moved from station 2 to station 5: “broken mouse”"),
    ("station_changed", {"from": None, "to": 5, "reason": ""}, "The session was moved to station 5"),
    ("note_added", {"text": "<b>"}, "Note: “<b>”"),
    ("attempt_voided", {"reason": "other", "text": "slept"}, "The attempt was voided: another reason: “slept”"),
    ("attempt_voided", {"reason": "wrong_person", "text": ""}, "The attempt was voided: the wrong person played"),
    ("void_reversed", {"text": "it was she"}, "The void was reversed: “it was she”"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "details", "expected"), SENTENCES)
def test_an_event_is_a_sentence(kind: str, details: dict[str, object], expected: str) -> None:
    assert sentence(EventKind(kind), details) == expected


def test_every_kind_has_a_sentence() -> None:
    tried = {kind for kind, *_ in SENTENCES}
    for kind in set(EventKind) - tried:
        assert sentence(kind, {})[0].isupper()
