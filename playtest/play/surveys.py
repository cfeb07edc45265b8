"""The questions of a study's surveys, over all versions of its protocol."""

from playtest.play.errors import Refusal
from playtest.play.models import Study
from playtest.rules.survey import Question


def questions_of_study(study: Study) -> tuple[Question, ...]:
    """Every question that the study has asked or asks, by its newest wording; those asked now come first."""
    newest_first = study.protocol_versions.order_by("-number")
    found: dict[str, Question] = {}
    for version in newest_first:
        for question in version.value.survey:
            found.setdefault(question.name, question)
    return tuple(found.values())


def refuse_other_answers(study: Study, survey: tuple[Question, ...]) -> None:
    """Refuses a name that would mean answers of two types in one column of the data.

    Refusal: question_name_used.
    """
    asked = study.protocol_versions.filter(frozen_at__isnull=False).order_by("-number")
    wholes = {question.name: question.is_whole for version in asked for question in version.value.survey}
    for question in survey:
        if wholes.get(question.name, question.is_whole) != question.is_whole:
            message = (
                f"{question.name} was asked before and answered in another way: give the new question a name"
                " of its own."
            )
            raise Refusal("question_name_used", message)
