"""Answers are kept only where they are one of the choices; everything else is skipped."""

import pytest

from playtest.rules.survey import QUESTIONS, answers_in


def test_every_choice_of_every_question_is_accepted() -> None:
    for question in QUESTIONS:
        for value, _ in question.choices:
            assert answers_in(QUESTIONS, {question.name: value}) == {question.name: value}


@pytest.mark.parametrize(
    "posted",
    [{}, {"age": ""}, {"age": "17"}, {"puzzles": "18-24"}, {"shoe_size": "44"}],
    ids=["nothing", "prefer not to say", "no such choice", "another question's choice", "no such question"],
)
def test_an_unknown_answer_is_no_answer(posted: dict[str, str]) -> None:
    assert answers_in(QUESTIONS, posted) == {}


def test_names_and_values_are_unique() -> None:
    names = [question.name for question in QUESTIONS]
    assert len(set(names)) == len(names)
    for question in QUESTIONS:
        assert len(dict(question.choices)) == len(question.choices)
