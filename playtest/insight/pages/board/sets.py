"""The finished environments that can be divided into sets, and what a proposed division is like."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations, product

from django.db.models import QuerySet

from playtest.insight.scope import EVERYONE
from playtest.insight.tables.acceptance import counted_people, fit_or_none, successes, verdicts
from playtest.insight.tables.results import attempts
from playtest.rules.cards import CardContent
from playtest.rules.inference.shares import Estimate
from playtest.rules.kinds import Kind
from playtest.rules.pipeline import Stage
from playtest.rules.sets import Division
from playtest.studio.models import Environment, ReleaseSet
from playtest.studio.queries.cards import contents_of
from playtest.studio.queries.redundancy import Marked, marks_of

SETS = (ReleaseSet.PUBLIC, ReleaseSet.SEMI_PRIVATE, ReleaseSet.PRIVATE)


@dataclass(frozen=True)
class Candidate:
    """A finished environment with counted people.

    `success` is the share (0..1) of them who solved it. `card` may be None.
    """

    environment: Environment
    success: Fraction
    card: CardContent | None

    @property
    def percent(self) -> float:
        return float(self.success * 100)

    @cached_property
    def mechanics(self) -> frozenset[str]:
        """The names on its card, without their case."""
        return frozenset(one.name.casefold() for one in self.card.mechanics) if self.card else frozenset()


@dataclass(frozen=True)
class ProposedSet:
    """A set with its mean success in percent (None if empty).

    `adjusted` is the mean success (0..1) had everyone met all its environments; None if that is unknown.
    """

    name: ReleaseSet
    mean: float | None
    members: tuple[Candidate, ...]
    adjusted: Estimate | None = None

    @cached_property
    def mechanics(self) -> frozenset[str]:
        return frozenset[str]().union(*(one.mechanics for one in self.members))


@dataclass(frozen=True)
class Between:
    """Two sets of a division that are not empty, and what they have in common.

    `difference` is that of their mean success in percentage points. `mechanics` counts the names of both,
    `of` those of either. `sharing` are the pairs of environments with a mechanic in common, `redundant` the
    marks in force.
    """

    first: ProposedSet
    second: ProposedSet
    difference: float
    mechanics: int
    of: int
    sharing: tuple[tuple[Environment, Environment], ...]
    redundant: tuple[Marked, ...]


def finished_kinds() -> list[Kind]:
    """The kinds of which an environment is Done, interactive ones first: each is divided by itself."""
    done = set(_done().values_list("kind", flat=True))
    return [kind for kind in Kind if kind in done]


def _done() -> QuerySet[Environment]:
    return Environment.objects.filter(stage=Stage.DONE, current__isnull=False)


def finished(kind: Kind) -> tuple[list[Candidate], list[Environment]]:
    """Every Done environment of a kind with counted people; those whose current version has none; by id."""
    done = list(
        _done()
        .filter(kind=kind)
        .select_related("current")
        .defer("note", "current__source", "current__metadata")
    )
    verdict = verdicts(done) if done else {}
    tried = [environment for environment in done if verdict[environment.pk].people]
    cards = contents_of(tried)
    candidates = [
        Candidate(
            environment,
            Fraction(verdict[environment.pk].solvers, verdict[environment.pk].people),
            cards.get(environment.pk),
        )
        for environment in tried
    ]
    return candidates, [environment for environment in done if not verdict[environment.pk].people]


def public(candidates: Collection[Candidate]) -> frozenset[int]:
    """The numbers of those that are public already: what everybody has seen cannot be kept back again."""
    names = [one.environment.release_set for one in candidates]
    return frozenset(number for number, name in enumerate(names) if name == ReleaseSet.PUBLIC)


def proposed(candidates: list[Candidate], division: Division) -> list[ProposedSet]:
    """The sets of a division. Adjusted success is by all counted attempts of real people."""
    counted = counted_people(attempts(EVERYONE), EVERYONE)
    fit = fit_or_none(successes(counted, "version", with_excluded=False))

    def adjusted(members: Sequence[Candidate]) -> Estimate | None:
        versions = [one.environment.current_id for one in members]
        return fit.adjusted(*versions) if fit and versions and {*versions} <= {*fit.items} else None

    return [
        ProposedSet(
            name,
            None if mean is None else float(mean * 100),
            members := tuple(candidates[index] for index in indices),
            adjusted(members),
        )
        for name, mean, indices in zip(SETS, division.means, division.sets, strict=True)
    ]


def compared(sets: list[ProposedSet]) -> list[Between]:
    """Every two sets that are not empty."""
    marks = marks_of([one.environment for found in sets for one in found.members])
    return [
        Between(
            first,
            second,
            abs(first.mean - second.mean),
            len(first.mechanics & second.mechanics),
            len(first.mechanics | second.mechanics),
            tuple(_sharing(first, second)),
            tuple(_marked(first, second, marks)),
        )
        for first, second in combinations(sets, 2)
        if first.mean is not None and second.mean is not None
    ]


def marked_within(sets: list[ProposedSet]) -> list[tuple[ProposedSet, Marked]]:
    """The marks in force on two environments of the same set."""
    marks = marks_of([one.environment for found in sets for one in found.members])
    return [(found, marked) for found in sets for marked in _marked(found, found, marks)]


def _sharing(first: ProposedSet, second: ProposedSet) -> Iterator[tuple[Environment, Environment]]:
    for one, other in product(first.members, second.members):
        if one.mechanics & other.mechanics:
            yield one.environment, other.environment


def _marked(first: ProposedSet, second: ProposedSet, marks: dict[int, list[Marked]]) -> Iterator[Marked]:
    theirs = {one.environment.pk for one in second.members}
    found: dict[int, Marked] = {}
    for one in first.members:
        for marked in marks[one.environment.pk]:
            if marked.standing.in_force and marked.other(one.environment).pk in theirs:
                found[marked.mark.pk] = marked
    yield from found.values()
