"""Reads of redundancy marks: for pages, for the gates and for sets."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Case, Q, QuerySet, When

from playtest.rules.likeness import ALIKE, WON
from playtest.rules.pipeline import Fact
from playtest.rules.redundancy import Standing, standing
from playtest.studio.models import Environment, Likeness, RedundancyAnswer, RedundancyMark

ASKED = 10
"""People are asked about so many pairs at most: those that are most alike."""


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


@dataclass(frozen=True)
class Ranked:
    """A pair by measured likeness; people are asked about the first ones, until somebody has `judged` one."""

    place: int
    measured: Likeness
    first: Environment
    second: Environment
    judged: bool

    @property
    def asked(self) -> bool:
        alike = self.measured.whole >= ALIKE or (self.measured.solved or 0) >= WON
        return alike and self.place <= ASKED and not self.judged


def ranked(most: int = ASKED) -> list[Ranked]:
    """The pairs of current versions that are most alike, first those where a win of one wins in the other."""
    solved = Case(When(solved__gte=WON, then="solved"), default=0)
    order = (solved.desc(), "-whole", "pk")
    rows = Likeness.objects.select_related("first__environment", "second__environment").order_by(*order)
    large = ("first__source", "second__source", "first__metadata", "second__metadata")
    found = list(rows.defer(*large)[:most])
    marked = set(RedundancyMark.objects.values_list("first", "second")) if found else set()
    return [
        Ranked(place, row, one, other, (min(one.pk, other.pk), max(one.pk, other.pk)) in marked)
        for place, row in enumerate(found, 1)
        for one, other in [(row.first.environment, row.second.environment)]
    ]


def marks_of(environments: Collection[Environment]) -> dict[int, list[Marked]]:
    """The marks that each environment is in, by its pk, the newest first."""
    pks = {environment.pk for environment in environments}
    found: defaultdict[int, list[Marked]] = defaultdict(list)
    for marked in _marked(RedundancyMark.objects.filter(Q(first__in=pks) | Q(second__in=pks))):
        for pk in (marked.mark.first_id, marked.mark.second_id):
            if pk in pks:
                found[pk].append(marked)
    return {pk: found[pk] for pk in pks}


def facts(environments: Collection[Environment], marks: Mapping[int, list[Marked]]) -> dict[int, Fact]:
    """Whether a second person has answered every mark of each environment (`marks_of`), by its pk."""
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
