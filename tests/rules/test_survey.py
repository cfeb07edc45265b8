"""Questions of a survey, and which answers to them are stored."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.document import document_of, value_of
from playtest.rules.errors import RuleError
from playtest.rules.survey import BANDS, Kind, Question, answers_in, check_survey
from playtest.rules.survey_questions import PAPERS, QUESTIONS
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
