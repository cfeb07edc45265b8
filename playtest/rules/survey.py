"""The survey before the tutorial: a few questions with given answers, each of which may be skipped."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Question:
    """One question. `choices` pair the stored value with the text that participants read."""

    name: str
    text: str
    choices: tuple[tuple[str, str], ...]


QUESTIONS = (
    Question(
        "age",
        "How old are you?",
        (
            ("18-24", "18 to 24"),
            ("25-34", "25 to 34"),
            ("35-44", "35 to 44"),
            ("45-54", "45 to 54"),
            ("55-64", "55 to 64"),
            ("65+", "65 or older"),
        ),
    ),
    Question(
        "video_games",
        "How often do you play video games?",
        (
            ("never", "Never"),
            ("yearly", "A few times a year"),
            ("monthly", "A few times a month"),
            ("weekly", "A few times a week"),
            ("daily", "Every day"),
        ),
    ),
    Question(
        "puzzles",
        "How often do you solve puzzles, such as crosswords, sudoku or chess problems?",
        (
            ("never", "Never"),
            ("yearly", "A few times a year"),
            ("monthly", "A few times a month"),
            ("weekly", "A few times a week"),
            ("daily", "Every day"),
        ),
    ),
    Question(
        "education",
        "What is the highest level of education you have completed?",
        (
            ("before_secondary", "Less than secondary school"),
            ("secondary", "Secondary or high school"),
            ("vocational", "Vocational training or some college"),
            ("bachelor", "University degree"),
            ("postgraduate", "Higher university degree, such as a master or doctor"),
        ),
    ),
    Question(
        "colour_vision",
        "Do you have difficulty telling some colours apart?",
        (
            ("no", "No"),
            ("some", "Yes, some colours"),
            ("unsure", "I am not sure"),
        ),
    ),
)


def answers_in(questions: Iterable[Question], posted: Mapping[str, str]) -> dict[str, str]:
    """The valid answers by question name; a question without one is absent."""
    return {
        question.name: posted[question.name]
        for question in questions
        if posted.get(question.name) in dict(question.choices)
    }
