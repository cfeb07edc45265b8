"""The two questions after an environment: who is asked, and which answers are taken."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.attempt import Outcome
from playtest.rules.debrief import MOST_LETTERS, STEPS, Answers, answers_of, is_asked
from playtest.rules.text import visible
from tests.refusals import rule_refused

ASKED = {"completed", "gave_up", "concluded", "timed_out", "tries_used", "session_over"}


@pytest.mark.parametrize("outcome", list(Outcome))
def test_who_played_to_an_end_is_asked(outcome: Outcome) -> None:
    assert is_asked(outcome, 1) == (outcome.value in ASKED)


def test_nobody_is_asked_about_what_they_did_not_play() -> None:
    assert not is_asked(Outcome.GAVE_UP, 0)


@given(st.none() | st.sampled_from(sorted(STEPS)), st.text(max_size=MOST_LETTERS))
def test_every_answer_that_a_page_can_give_is_taken(difficulty: int | None, about: str) -> None:
    said = json.loads(json.dumps({"difficulty": difficulty, "about": about, "token": "x"}))
    written = visible(about.replace("\r\n", "\n").replace("\0", ""))
    assert answers_of(said) == Answers(difficulty, written)


@pytest.mark.parametrize(
    ("document", "code"),
    [
        (None, "debrief_malformed"),
        ([], "debrief_malformed"),
        ({}, "debrief_malformed"),
        ({"difficulty": 3}, "debrief_malformed"),
        ({"difficulty": "3", "about": ""}, "debrief_malformed"),
        ({"difficulty": 3.0, "about": ""}, "debrief_malformed"),
        ({"difficulty": None, "about": None}, "debrief_malformed"),
        ({"difficulty": None, "about": "\ud800"}, "debrief_malformed"),
        ({"difficulty": True, "about": ""}, "difficulty_unknown"),
        ({"difficulty": False, "about": ""}, "difficulty_unknown"),
        ({"difficulty": 0, "about": ""}, "difficulty_unknown"),
        ({"difficulty": 6, "about": ""}, "difficulty_unknown"),
        ({"difficulty": None, "about": "a" * 501}, "about_too_long"),
    ],
)
def test_other_answers_are_refused(document: object, code: str) -> None:
    with rule_refused(code):
        answers_of(document)
