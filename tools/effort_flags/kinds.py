"""What a simulated kind of people provides: how they play an environment, and what they are like."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from playtest.rehearsal.people.person import Kind, Person
from playtest.rehearsal.people.population import Group, plain, with_answers
from playtest.rehearsal.people.steps import KEY, TOUCH, Play, Scene, Solutions

type Playing = Callable[[Person, Scene, Solutions, Random, int], Play]
"""Plays one environment: a person, its first scene, the recorded solutions, chance, and the visit.

`chance` is of this person and environment. `visit` is 1 at the first environment of the session. It is a
function of a module, so that a process finds it by its name.
"""


@dataclass(frozen=True)
class SimulatedKind:
    """People of one kind. `does` says what they do; `tries`: honestly, so nobody should accuse them.

    A person's skill, and patience where given, lie in these ranges. `lapses` is the share of environments at
    which those of a rehearsal's `kind` who do not try do so after all.
    """

    name: str
    label: str
    does: str
    tries: bool
    play: Playing
    skill: tuple[float, float] = (0.2, 0.95)
    patience: tuple[float, float] | None = None
    kind: Kind = Kind.LEARNER
    lapses: float = 0.0

    def person(self, number: int, seed: int) -> Person:
        """A person of this kind; the same for the same number and seed."""
        chance = Random(f"{seed}/{self.name}/{number}")
        return Person(
            number=number,
            seed=seed,
            kind=self.kind,
            skill=chance.uniform(*self.skill),
            patience=chance.uniform(*self.patience) if self.patience else chance.betavariate(2, 2),
            tempo=chance.lognormvariate(0.0, 0.25),
            hands=TOUCH if chance.random() < 0.12 else KEY,
            lapses=self.lapses,
        )


def as_rehearsed(person: Person, scene: Scene, solutions: Solutions, chance: Random, visit: int) -> Play:
    """How people of a rehearsal's kinds play; `visit` changes nothing."""
    return plain(person, scene, solutions, chance)


def steps(playing: Playing, person: Person, scene: Scene, solutions: Solutions, visit: int) -> Play:
    """A visit with the answer to the soft limit's question, by the person's hands."""
    chance = person.chance(solutions.name)
    return with_answers(person, scene, playing(person, scene, solutions, chance, visit), chance)


def of_group(group: Group, does: str) -> SimulatedKind:
    """A rehearsal's group as a kind; the same people."""
    lapses = group.person(1, 1).lapses
    return SimulatedKind(
        group.name,
        group.label,
        does,
        group.tries,
        as_rehearsed,
        group.skill,
        group.patience,
        group.kind,
        lapses,
    )
