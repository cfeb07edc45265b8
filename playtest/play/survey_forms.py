"""The form of a survey: a part for each question. Adding, ordering and removing need no script."""

import re
from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import QueryDict

from playtest.play.models import Study
from playtest.rules.errors import RuleError
from playtest.rules.survey import KIND_LABELS, LONGEST_TEXT, MOST_LETTERS, MOST_QUESTIONS, Kind, Question
from playtest.rules.survey_questions import PAPERS, QUESTIONS

_PREFIX = "question"
_TOTAL = f"{_PREFIX}-TOTAL_FORMS"
_NOT_A_NAME = re.compile("[^a-z0-9]+")


class QuestionForm(forms.Form):
    """One question. What its kind does not use is ignored."""

    text = forms.CharField(label="Question", max_length=LONGEST_TEXT)
    name = forms.CharField(
        label="Name in the data", max_length=40, help_text="Small letters, digits and underscores."
    )
    kind = forms.ChoiceField(
        label="Answered by", choices=[(kind.value, label) for kind, label in KIND_LABELS.items()]
    )
    choices = forms.CharField(
        required=False,
        label="Choices",
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="One a line. A name for the data may come before a colon: “weekly: Once a week”.",
    )
    ordered = forms.BooleanField(
        required=False,
        label="The choices are in their order",
        help_text="From less to more, or from more to less: they are tested in this order.",
    )
    least = forms.IntegerField(required=False, label="Least", help_text="Of a number or a scale.")
    most = forms.IntegerField(
        required=False,
        label="Most",
        help_text=f"Of a number or a scale; letters of a text, at most {MOST_LETTERS}.",
    )
    low = forms.CharField(required=False, label="Label of the least step", max_length=60)
    high = forms.CharField(required=False, label="Label of the most step", max_length=60)

    def question(self) -> Question:
        """The question of a valid form. Raises RuleError as `Question`."""
        values, kind = self.cleaned_data, Kind(self.cleaned_data["kind"])
        bounded = kind != Kind.CHOICE
        return Question(
            name=values["name"],
            text=values["text"],
            choices=_choices(values["choices"]) if kind == Kind.CHOICE else (),
            kind=kind.value,
            least=(values["least"] or 0) if kind in (Kind.NUMBER, Kind.SCALE) else 0,
            most=_most(values["most"], kind) if bounded else 0,
            ends=(values["low"], values["high"]) if kind == Kind.SCALE else ("", ""),
            ordered=values["ordered"] and kind == Kind.CHOICE,
        )


class SurveyForm(forms.Form):
    """What is saved with the questions."""

    reason = forms.CharField(
        required=False,
        label="Reason for changing the protocol",
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="Required, because sessions follow an earlier version; it is stored for good.",
    )
    edition = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, data: QueryDict | None, study: Study) -> None:
        newest = study.newest_version
        super().__init__(data, initial={"edition": newest.edition})
        if newest.number == 1 and newest.frozen_at is None:
            del self.fields["reason"]


class _Parts(forms.BaseFormSet):  # type: ignore[type-arg]
    def add_fields(self, form: QuestionForm, index: int | None) -> None:
        super().add_fields(form, index)
        form.fields["ORDER"].label = "Place"
        form.fields["DELETE"].label = "Remove this question"


QuestionForms = forms.formset_factory(
    QuestionForm,
    formset=_Parts,
    extra=0,
    can_order=True,
    can_delete=True,
    max_num=MOST_QUESTIONS,
    validate_max=True,
)


def forms_of(questions: Sequence[Question]) -> Any:
    """The parts of these questions."""
    return QuestionForms(prefix=_PREFIX, initial=[_values(question) for question in questions])


def posted_forms(data: QueryDict) -> Any:
    """The parts that a page sent."""
    return QuestionForms(data, prefix=_PREFIX)


def with_more(data: QueryDict, questions: Sequence[Question | None]) -> Any:
    """The parts that a page sent, unchecked, and further ones; None is an empty one."""
    rows = _rows(data)
    known = {row.get("name", "") for row in rows}
    for question in questions:
        if question is None:
            rows.append({})
        elif question.name not in known:
            rows.append(_values(question))
    return QuestionForms(prefix=_PREFIX, initial=rows[:MOST_QUESTIONS])


def questions_of(posted: Any) -> tuple[Question, ...]:
    """The questions of valid parts in their order, without the removed ones.

    A question that is refused is marked at its part; raises RuleError survey_refused then.
    """
    questions, refused = [], False
    for part in posted.ordered_forms:
        try:
            questions.append(part.question())
        except RuleError as error:
            refused = True
            place = _FIELD_OF_REFUSAL.get(error.code)
            part.add_error(place, forms.ValidationError(error.message, code=error.code))
    if refused:
        raise RuleError("survey_refused", "Some questions cannot be asked so: see below.")
    return tuple(questions)


def further() -> tuple[Question, ...]:
    """The questions that can be added at once: those of the papers, and the usual ones."""
    return (*QUESTIONS, *PAPERS)


def _rows(data: QueryDict) -> list[dict[str, Any]]:
    """The values of the parts as they were sent."""
    count = data.get(_TOTAL, "")
    total = min(int(count), MOST_QUESTIONS) if count.isdigit() and len(count) < 5 else 0
    names = [*QuestionForm.base_fields, "ORDER", "DELETE"]
    return [{name: data.get(f"{_PREFIX}-{place}-{name}", "") for name in names} for place in range(total)]


def _values(question: Question) -> dict[str, Any]:
    bounded = question.kind != Kind.CHOICE
    return {
        "text": question.text,
        "name": question.name,
        "kind": question.kind,
        "choices": "\n".join(f"{value}: {label}" for value, label in question.choices),
        "ordered": question.ordered,
        "least": question.least if question.is_whole else None,
        "most": question.most if bounded else None,
        "low": question.ends[0],
        "high": question.ends[1],
    }


def _choices(text: str) -> tuple[tuple[str, str], ...]:
    """A line is "value: label", or a label whose value is made of its letters."""
    pairs = []
    for line in filter(None, map(str.strip, text.splitlines())):
        value, colon, label = line.partition(":")
        if colon and label.strip() and " " not in value.strip():
            pairs.append((value.strip(), label.strip()))
        else:
            pairs.append((_NOT_A_NAME.sub("_", line.lower()).strip("_")[:40], line))
    return tuple(pairs)


def _most(given: int | None, kind: Kind) -> int:
    if given is None:
        return MOST_LETTERS if kind == Kind.TEXT else 0
    return given


_FIELD_OF_REFUSAL = {
    "question_name_invalid": "name",
    "question_text_missing": "text",
    "question_text_too_long": "text",
    "choices_invalid": "choices",
    "choice_taken": "choices",
    "bounds_invalid": "most",
}
