"""Questions of a survey and after an environment, which answers are stored, and which groups are shown."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.attempt import Outcome
from playtest.rules.debrief import MOST_LETTERS, STEPS, Answers, answers_of, is_asked
from playtest.rules.disclosure import withheld
from playtest.rules.document import document_of, value_of
from playtest.rules.errors import RuleError
from playtest.rules.survey import BANDS, Kind, Question, answers_in, check_survey
from playtest.rules.survey_questions import PAPERS, QUESTIONS
from playtest.rules.text import visible
from tests.cases import cases
from tests.refusals import rule_refused

EVERY = (*QUESTIONS, *PAPERS)
NUMBER = Question("hours", "Hours?", (), kind=Kind.NUMBER, least=-5, most=24)
SCALE = Question("skill", "Skill?", (), kind=Kind.SCALE, least=1, most=5, ends=("none", "much"))
TEXT = Question("words", "Words?", (), kind=Kind.TEXT, most=10)
CHOICE = Question("one", "Which?", (("a", "A"), ("b", "B")))


def test_every_choice_of_every_question_is_accepted() -> None:
    for question in EVERY:
        for value, _ in question.options:
            assert answers_in([question], {question.name: str(value)}) == ({question.name: value}, {})


def test_names_are_unique() -> None:
    check_survey(EVERY)
    with pytest.raises(RuleError, match="question_name_taken"):
        check_survey([*EVERY, QUESTIONS[0]])
    with pytest.raises(RuleError, match="questions_too_many"):
        check_survey([CHOICE] * 31)


@pytest.mark.parametrize("question", [NUMBER, SCALE, TEXT, CHOICE])
@pytest.mark.parametrize("posted", [{}, {"name": "x"}, {"": ""}])
def test_every_question_can_be_skipped(question: Question, posted: dict[str, str]) -> None:
    assert answers_in([question], posted) == ({}, {})
    assert answers_in([question], {question.name: "  "}) == ({}, {})


@pytest.mark.parametrize(
    ("question", "posted", "stored"),
    [
        (NUMBER, "-5", -5),
        (NUMBER, " 24 ", 24),
        (NUMBER, "+7", 7),
        (SCALE, "1", 1),
        (SCALE, "5", 5),
        (TEXT, "1234567890", "1234567890"),
        (TEXT, "a\r\nb", "a\nb"),
        (CHOICE, "a", "a"),
    ],
)
def test_an_answer_is_stored(question: Question, posted: str, stored: str | int) -> None:
    assert answers_in([question], {question.name: posted}) == ({question.name: stored}, {})


@pytest.mark.parametrize(
    ("question", "posted", "code"),
    [
        (NUMBER, "-6", "answer_out_of_range"),
        (NUMBER, "25", "answer_out_of_range"),
        (NUMBER, "2.5", "answer_not_whole"),
        (NUMBER, "٣", "answer_not_whole"),
        (NUMBER, "1" * 50, "answer_not_whole"),
        (SCALE, "0", "answer_out_of_range"),
        (SCALE, "6", "answer_out_of_range"),
        (TEXT, "12345678901", "answer_too_long"),
        (TEXT, "a\0b", "answer_too_long"),
        (CHOICE, "A", "answer_unknown"),
        (CHOICE, "c", "answer_unknown"),
    ],
)
def test_another_answer_is_refused_and_the_others_are_kept(
    question: Question, posted: str, code: str
) -> None:
    other = QUESTIONS[0]
    answers, wrong = answers_in([question, other], {question.name: posted, other.name: "18-24"})
    assert answers == {other.name: "18-24"}
    assert {name: error.code for name, error in wrong.items()} == {question.name: code}


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"name": "Age"}, "question_name_invalid"),
        ({"name": "1a"}, "question_name_invalid"),
        ({"name": "a" * 41}, "question_name_invalid"),
        ({"text": " "}, "question_text_missing"),
        ({"text": "a" * 301}, "question_text_too_long"),
        ({"kind": "picture"}, "question_kind_unknown"),
        ({"choices": (("a", "A"),)}, "choices_invalid"),
        ({"choices": (("a", "A"), ("", "B"))}, "choices_invalid"),
        ({"choices": (("a", "A"), ("b", " "))}, "choices_invalid"),
        ({"choices": (("a", "A"), ("a", "B"))}, "choice_taken"),
        ({"kind": "number", "least": 3, "most": 3}, "bounds_invalid"),
        ({"kind": "number", "least": 0, "most": 10**9 + 1}, "bounds_invalid"),
        ({"kind": "scale", "least": 1, "most": 12}, "bounds_invalid"),
        ({"kind": "scale", "least": -1, "most": 3}, "bounds_invalid"),
        ({"kind": "scale", "least": 2, "most": 2}, "bounds_invalid"),
        ({"kind": "text", "most": 0}, "bounds_invalid"),
        ({"kind": "text", "most": 501}, "bounds_invalid"),
    ],
)
def test_a_question_that_cannot_be_asked_is_refused(changes: dict[str, Any], code: str) -> None:
    parts: dict[str, Any] = {"name": "one", "text": "Which?", "choices": CHOICE.choices} | changes
    with rule_refused(code):
        Question(**parts)


def test_a_scale_has_two_to_eleven_steps() -> None:
    assert len(Question("a", "A?", (), kind=Kind.SCALE, least=0, most=1).options) == 2
    assert len(Question("a", "A?", (), kind=Kind.SCALE, least=0, most=10).options) == 11


@given(st.integers(-1000, 1000), st.integers(1, 300), st.data())
def test_every_number_is_in_one_band_and_no_other(least: int, width: int, data: st.DataObject) -> None:
    question = Question("n", "N?", (), kind=Kind.NUMBER, least=least, most=least + width)
    bands = [tuple(map(int, name.split(".."))) for name, _ in question.groups]
    assert len(bands) == min(BANDS, width + 1)
    assert [number for low, high in bands for number in range(low, high + 1)] == list(
        range(least, least + width + 1)
    )
    answer = data.draw(st.integers(least, least + width))
    low, high = map(int, str(question.group_of(answer)).split(".."))
    assert low <= answer <= high


def test_an_answer_to_another_wording_is_in_no_group() -> None:
    assert [CHOICE.group_of(answer) for answer in ("a", "z", 3, None)] == ["a", None, None, None]
    assert [NUMBER.group_of(answer) for answer in (25, "a", None)] == [None, None, None]
    assert SCALE.groups[0] == ("1", "1 (none)")
    assert TEXT.groups == ()


@pytest.mark.parametrize("question", [NUMBER, SCALE, TEXT, CHOICE, *EVERY])
def test_a_question_is_read_from_its_document(question: Question) -> None:
    assert value_of(Question, document_of(question)) == question


def test_a_question_from_before_the_kinds_keeps_its_document() -> None:
    assert set(document_of(CHOICE)) == {"name", "text", "choices"}


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


SIZES = st.lists(st.integers(0, 12), max_size=8)


@cases(
    ("sizes", "hidden"),
    {
        "five is enough": ([5, 6, 7], set()),
        "the total would tell of four": ([4, 6, 7], {0, 1}),
        "of equals the earlier goes": ([7, 4, 5, 5], {1, 2}),
        "two small groups hide each other": ([4, 1, 9], {0, 1}),
        "together they are still four": ([3, 1, 9, 8], {0, 1, 3}),
        "nobody can be told of": ([0, 5, 5], {0}),
        "a group of nobody hides nobody": ([0, 1, 5, 9], {0, 1, 2}),
        "nothing is left to hide behind": ([4], {0}),
        "no groups": ([], set()),
    },
)
def test_small_groups_are_withheld(sizes: list[int], hidden: set[int]) -> None:
    assert withheld(sizes) == hidden


@given(SIZES)
def test_shown_groups_and_the_rest_of_the_total_have_five_or_more(sizes: list[int]) -> None:
    hidden = withheld(sizes)
    shown = [size for place, size in enumerate(sizes) if place not in hidden]
    assert all(size >= 5 for size in shown)
    rest = sum(sizes) - sum(shown)
    assert rest == 0 or rest >= 5 or not shown
