"""Groups of simulated people who are alike: those whom effort rules should find, and those who try."""

from dataclasses import dataclass
from random import Random

from playtest.rehearsal.people.person import Kind, Person
from playtest.rehearsal.people.steps import KEY, TOUCH

_LAPSES = 0.05
"""People who do not try do so at one of twenty environments after all."""


@dataclass(frozen=True)
class Group:
    """People of one kind, with a skill in this range; patience too, or as it comes. `tries`: honestly."""

    name: str
    label: str
    kind: Kind
    tries: bool
    skill: tuple[float, float] = (0.2, 0.95)
    patience: tuple[float, float] | None = None

    def person(self, number: int, seed: int) -> Person:
        """A person of this group; the same for the same number and seed."""
        chance = Random(f"{seed}/{self.name}/{number}")
        return Person(
            number=number,
            seed=seed,
            kind=self.kind,
            skill=chance.uniform(*self.skill),
            patience=chance.uniform(*self.patience) if self.patience else chance.betavariate(2, 2),
            tempo=chance.lognormvariate(0.0, 0.25),
            hands=TOUCH if chance.random() < 0.12 else KEY,
            lapses=0.0 if self.tries else _LAPSES,
        )


GROUPS = (
    Group("cycler", "cycler", Kind.CYCLER, tries=False),
    Group("slow_collector", "tutorial collector, slow", Kind.SLOW_COLLECTOR, tries=False),
    Group("fast_collector", "tutorial collector, fast", Kind.FAST_COLLECTOR, tries=False),
    Group("random_clicker", "random clicker", Kind.WANDERER, tries=False),
    Group("favourite_key", "random with a favourite key", Kind.FAVOURITE_KEY, tries=False),
    Group("idler", "idler", Kind.IDLER, tries=False),
    Group("masher", "key masher", Kind.MASHER, tries=False),
    Group("slow", "slow but honest", Kind.SLOW, tries=True),
    Group("good", "good player", Kind.LEARNER, tries=True, skill=(0.85, 0.99), patience=(0.5, 1.0)),
    Group("any", "player of any skill", Kind.LEARNER, tries=True),
    Group("weak", "weak player", Kind.LEARNER, tries=True, skill=(0.05, 0.35)),
)
BY_NAME = {group.name: group for group in GROUPS}
