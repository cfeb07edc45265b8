"""What a simulated kind of people provides: how they play an environment, and what they are like."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from playtest.rehearsal.people.person import Person
from playtest.rehearsal.people.population import Group, plain, with_answers
from playtest.rehearsal.people.steps import Play, Scene, Solutions

type Playing = Callable[[Person, Scene, Solutions, Random, int], Play]
"""Plays one environment: a person, its first scene, the recorded solutions, chance, and the visit.

`chance` is of this person and environment. `visit` is 1 at the first environment of the session. It is a
function of a module, so that a process finds it by its name.
"""


def as_rehearsed(person: Person, scene: Scene, solutions: Solutions, chance: Random, visit: int) -> Play:
    """How people of a rehearsal's kinds play; `visit` changes nothing."""
    return plain(person, scene, solutions, chance)


@dataclass(frozen=True)
class SimulatedKind(Group):
    """A group of people who play in this way."""

    play: Playing = as_rehearsed


def steps(playing: Playing, person: Person, scene: Scene, solutions: Solutions, visit: int) -> Play:
    """A visit with the answer to the soft limit's question, by the person's hands."""
    chance = person.chance(solutions.name)
    return with_answers(person, scene, playing(person, scene, solutions, chance, visit), chance)


def of_group(group: Group) -> SimulatedKind:
    """A rehearsal's group as a kind; the same people."""
    return SimulatedKind(**vars(group))
