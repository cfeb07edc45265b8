"""The population of a rehearsal: a mix of people, groups who are alike, and how each of them plays."""

from collections.abc import Callable, Generator
from dataclasses import KW_ONLY, dataclass
from random import Random

from playtest.rehearsal.people.learner import learn, learn_slowly
from playtest.rehearsal.people.low_effort import (
    be_distracted,
    collect_fast,
    collect_slowly,
    cycle,
    do_little,
    favour_a_key,
    mash,
    quit_early,
    wander,
)
from playtest.rehearsal.people.person import Kind, Person
from playtest.rehearsal.people.steps import KEY, TOUCH, Answer, Play, Press, Scene, Solutions, Step, after
from playtest.rehearsal.people.task_worker import TaskScene, TaskSolutions, Work, work

_PLAYS: dict[Kind, Callable[[Person, Scene, Solutions, Random], Play]] = {
    Kind.LEARNER: learn,
    Kind.SLOW: learn_slowly,
    Kind.DISTRACTED: be_distracted,
    Kind.MASHER: mash,
    Kind.QUITTER: quit_early,
    Kind.WANDERER: wander,
    Kind.CYCLER: cycle,
    Kind.FAST_COLLECTOR: collect_fast,
    Kind.SLOW_COLLECTOR: collect_slowly,
    Kind.FAVOURITE_KEY: favour_a_key,
    Kind.IDLER: do_little,
}
_OF_FOURTEEN = (
    *(Kind.LEARNER for _ in range(4)),
    Kind.QUITTER,
    *(Kind.LEARNER for _ in range(3)),
    Kind.DISTRACTED,
    Kind.MASHER,
    *(Kind.LEARNER for _ in range(3)),
    Kind.WANDERER,
)
_SKILLS = (0.92, 0.62, 0.8, 0.35, 0.72, 0.95, 0.5)


def population(people: int, seed: int) -> list[Person]:
    """Creates people, the same for the same seed. Four of fourteen do not try, or not all the time."""
    return [_person(number, seed) for number in range(1, people + 1)]


def play(person: Person, scene: Scene, solutions: Solutions) -> Play:
    """Plays an environment as this person does, from its first scene, with the soft limit's prompt."""
    chance = person.chance(solutions.name)
    yield from with_answers(person, scene, plain(person, scene, solutions, chance), chance)


def plain(person: Person, scene: Scene, solutions: Solutions, chance: Random) -> Play:
    """The same without answers to the prompt."""
    lapse = person.chance(f"{solutions.name}/lapse").random() < person.lapses
    return _PLAYS[Kind.LEARNER if lapse else person.kind](person, scene, solutions, chance)


def work_on(person: Person, scene: TaskScene, solutions: TaskSolutions) -> Work:
    """Works on a static task as this person does, from its first scene, with the soft limit's prompt."""
    chance = person.chance(solutions.name)
    yield from with_answers(person, scene, work(person, scene, solutions, chance), chance)


def with_answers[S: (Scene, TaskScene)](
    person: Person, scene: S, steps: Generator[Step, S, None], chance: Random
) -> Generator[Step, S, None]:
    """These steps, and the answer to the soft limit's prompt when it is shown."""
    step, asked = next(steps, None), False
    while step is not None:
        if scene.prompted and not asked:
            asked = True
            stays = chance.random() < 0.15 + 0.8 * person.patience
            yield Step(chance.uniform(2, 9), Answer("continue" if stays else "finish"))
        do = person.by_hand(step.act) if isinstance(step.act, Press) and step.act.input == KEY else step.act
        scene = yield Step(step.pause, do)
        step = after(steps, scene)


def _person(number: int, seed: int) -> Person:
    chance = Random(f"{seed}/{number}")
    skill = _SKILLS[number % len(_SKILLS)] + chance.uniform(-0.06, 0.06)
    return Person(
        number=number,
        seed=seed,
        kind=_OF_FOURTEEN[(number - 1) % len(_OF_FOURTEEN)],
        skill=min(0.99, max(0.05, skill)),
        patience=chance.betavariate(2, 2),
        tempo=chance.lognormvariate(0.0, 0.25),
        hands=TOUCH if chance.random() < 0.12 else KEY,
    )


_LAPSES = 0.05
"""People who do not try do so at one of twenty environments after all."""


@dataclass(frozen=True)
class Group:
    """People of one kind, with a skill in this range; patience too, or as it comes.

    `tries`: honestly, so nobody should accuse them.
    """

    name: str
    label: str
    kind: Kind = Kind.LEARNER
    _: KW_ONLY
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
            lapses=0.0 if self.tries or self.kind is Kind.LEARNER else _LAPSES,
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
