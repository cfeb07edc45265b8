"""Reads of redundancy marks: for pages, for the gates and for sets."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Q, QuerySet

from playtest.rules.pipeline import Fact
from playtest.rules.redundancy import Standing, standing
from playtest.studio.models import Environment, RedundancyAnswer, RedundancyMark


@dataclass(frozen=True)
class Marked:
    """A mark with its answers, the first one first."""

    mark: RedundancyMark
    answers: tuple[RedundancyAnswer, ...]

    @cached_property
    def standing(self) -> Standing:
        return standing([one.agrees for one in self.answers])

    @property
    def by(self) -> str:
        """Who made the mark."""
        return self.mark.marked_by.get_username() if self.mark.marked_by else "unknown"

    def other(self, environment: Environment) -> Environment:
        """The one of the pair that is not `environment`."""
        return self.mark.second if self.mark.first_id == environment.pk else self.mark.first


def all_marks() -> list[Marked]:
    """Every mark, the newest first."""
    return _marked(RedundancyMark.objects.all())


def marks_between(one: Environment, other: Environment) -> list[Marked]:
    """The marks of a pair in either order, the newest first."""
    first, second = sorted((one.pk, other.pk))
    return _marked(RedundancyMark.objects.filter(first=first, second=second))


def marks_of(environments: Collection[Environment]) -> dict[int, list[Marked]]:
    """The marks that each environment is in, by its pk, the newest first."""
    pks = {environment.pk for environment in environments}
    found: defaultdict[int, list[Marked]] = defaultdict(list)
    for marked in _marked(RedundancyMark.objects.filter(Q(first__in=pks) | Q(second__in=pks))):
        for pk in (marked.mark.first_id, marked.mark.second_id):
            if pk in pks:
                found[pk].append(marked)
    return {pk: found[pk] for pk in pks}


def facts(environments: Collection[Environment]) -> dict[int, Fact]:
    """Whether a second person has answered every mark of each environment, by its pk."""
    marks = marks_of(environments)
    return {environment.pk: _fact(environment, marks[environment.pk]) for environment in environments}


def _fact(environment: Environment, marks: list[Marked]) -> Fact:
    awaiting = [one for one in marks if one.standing is Standing.OPEN]
    agreed = sorted(one.other(environment).code for one in marks if one.standing is Standing.AGREED)
    if awaiting:
        codes = sorted(one.other(environment).code for one in awaiting)
        sentence = f"Whether it is redundant with {' and with '.join(codes)} awaits a second person."
        return Fact(False, sentence, {"open": codes, "agreed": agreed})
    if agreed:
        sentence = f"Two people hold it to be redundant with {' and with '.join(agreed)}."
        return Fact(True, sentence, {"agreed": agreed})
    return Fact(True, "No mark says that it is redundant.")


def _marked(marks: QuerySet[RedundancyMark]) -> list[Marked]:
    found = marks.select_related("first", "second", "marked_by").defer("first__note", "second__note")
    listed = list(found.order_by("-pk"))
    answers: defaultdict[int, list[RedundancyAnswer]] = defaultdict(list)
    stored = RedundancyAnswer.objects.filter(mark__in=[mark.pk for mark in listed])
    for answer in stored.select_related("answered_by").order_by("pk"):
        answers[answer.mark_id].append(answer)
    return [Marked(mark, tuple(answers[mark.pk])) for mark in listed]
