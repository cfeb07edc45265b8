"""Action patterns on a level: first actions as a tree, failing patterns, clicks that do nothing.

All of it is counted by people. States are compared as `rules.results` does, by the frame without
its masked cells, the level and the state.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from playtest.rules.attempt import RESET

FIRST = 20
"""How many actions of each person the tree has."""
LONGEST_PATTERN = 12
"""Actions of the longest pattern: a longer loop is not one plan."""
REPEATED = 2
"""A pattern is a person's if they did it at least so often on the level."""


class Act(NamedTuple):
    """What was done: an action and, of a click, the connected cells of one colour that it was on.

    `colour` and the component's first cell (`x`, `y`) in reading order are None for other actions.
    """

    action: int
    colour: int | None = None
    x: int | None = None
    y: int | None = None


class Box(NamedTuple):
    """The cells around a component, with the last column and row."""

    left: int
    top: int
    right: int
    bottom: int


class Step(NamedTuple):
    """One action on a level. `state` and `changed` are the entry's; `at` and `box` are of a click."""

    act: Act
    changed: bool
    state: bytes
    completed: bool
    at: tuple[int, int] | None = None
    box: Box | None = None


@dataclass(slots=True)
class Repeat:
    """How often somebody did a pattern. `first` is the number of the first action of the first time."""

    times: int
    first: int


@dataclass(slots=True)
class Dead:
    """Clicks of one person on one component that changed nothing. `first`, `at`, `box` are of the first."""

    times: int
    first: int
    at: tuple[int, int]
    box: Box


type Pattern = tuple[Act, ...]


@dataclass(frozen=True, slots=True)
class ActionPatterns:
    """What one person tried on one level.

    `first` are the first actions, `patterns` what was done at least REPEATED times, `dead` the clicks without
    effect. `no_ops` is that of `rules.results.LevelResult`.
    """

    first: Pattern
    actions: int
    no_ops: int
    patterns: Mapping[Pattern, Repeat] = field(default_factory=dict)
    dead: Mapping[Act, Dead] = field(default_factory=dict)


def action_patterns(begin: bytes, steps: Sequence[Step]) -> ActionPatterns:
    """What a person tried, from the state in which the level began and everything that they did on it."""
    dead: dict[Act, Dead] = {}
    for number, step in enumerate(steps, start=1):
        if step.changed or step.at is None or step.box is None:
            continue
        if step.act in dead:
            dead[step.act].times += 1
        else:
            dead[step.act] = Dead(1, number, step.at, step.box)
    return ActionPatterns(
        first=tuple(step.act for step in steps[:FIRST]),
        actions=len(steps),
        no_ops=sum(not step.changed and step.act.action != RESET for step in steps),
        patterns=_repeated(begin, steps),
        dead=dead,
    )


def _repeated(begin: bytes, steps: Sequence[Step]) -> dict[Pattern, Repeat]:
    found: dict[Pattern, Repeat] = {}
    for first, last in _loops(begin, steps):
        pattern = tuple(step.act for step in steps[first - 1 : last])
        if pattern in found:
            found[pattern].times += 1
        else:
            found[pattern] = Repeat(1, first)
    return {pattern: repeat for pattern, repeat in found.items() if repeat.times >= REPEATED}


def _loops(begin: bytes, steps: Sequence[Step]) -> Iterator[tuple[int, int]]:
    """Numbers of the first and the last action of each loop; no action is in two.

    A loop is the shortest run of actions that leads back to a state; a no-op is one of one action. After a
    loop only what follows it is looked at.
    """
    seen = {begin: 0}
    for number, step in enumerate(steps, start=1):
        if step.completed:
            return
        before = seen.get(step.state)
        if before is not None and number - before <= LONGEST_PATTERN:
            yield before + 1, number
            seen = {}
        seen[step.state] = number


@dataclass(frozen=True, slots=True)
class Node:
    """Actions that the same people did in the same order, after the same actions before.

    `depth` counts the actions up to its last one. `ended` are those of `people` who did nothing after it
    or whose first actions end with it; the others are in `children`, those of most people first.
    """

    acts: Pattern
    depth: int
    people: tuple[int, ...]
    ended: tuple[int, ...]
    children: tuple["Node", ...]


def tree(firsts: Mapping[int, Pattern], depth: int = 0) -> tuple[Node, ...]:
    """The first actions of people, by attempt, with equal beginnings merged.

    `depth` is how many of them are in the tree already. Who did no action is in no node.
    """
    groups: defaultdict[Act, dict[int, Pattern]] = defaultdict(dict)
    for person, acts in firsts.items():
        if len(acts) > depth:
            groups[acts[depth]][person] = acts
    nodes = [_node(group, depth) for group in groups.values()]
    return tuple(sorted(nodes, key=lambda node: (-len(node.people), str(node.acts))))


def _node(group: Mapping[int, Pattern], depth: int) -> Node:
    patterns = list(group.values())
    until = depth + 1
    while all(len(acts) > until for acts in patterns) and len({acts[until] for acts in patterns}) == 1:
        until += 1
    ended = tuple(person for person, acts in group.items() if len(acts) == until)
    return Node(patterns[0][depth:until], until, tuple(group), ended, tree(group, until))


@dataclass(frozen=True, slots=True)
class Shared[What, Done: (Repeat, Dead)]:
    """What `people` did, `times` in all. The `example` did it most often: `done` says how."""

    what: What
    people: int
    times: int
    example: int
    done: Done


def failing_patterns(everyone: Mapping[int, ActionPatterns]) -> list[Shared[Pattern, Repeat]]:
    """What people repeated without getting anywhere, those of most people first, then the most frequent."""
    found = _shared({person: one.patterns for person, one in everyone.items()})
    return sorted(found, key=lambda one: (-one.people, -one.times, len(one.what), str(one.what)))


def dead_clicks(everyone: Mapping[int, ActionPatterns]) -> list[Shared[Act, Dead]]:
    """Clicks on a component that changed nothing, those of most people first, then the most frequent."""
    found = _shared({person: one.dead for person, one in everyone.items()})
    return sorted(found, key=lambda one: (-one.people, -one.times, str(one.what)))


def _shared[What, Done: (Repeat, Dead)](
    everyone: Mapping[int, Mapping[What, Done]],
) -> Iterator[Shared[What, Done]]:
    by_key: defaultdict[What, dict[int, Done]] = defaultdict(dict)
    for person, found in everyone.items():
        for what, done in found.items():
            by_key[what][person] = done
    for what, people in by_key.items():
        example = max(people, key=lambda person: (people[person].times, -person))
        times = sum(done.times for done in people.values())
        yield Shared(what, len(people), times, example, people[example])
