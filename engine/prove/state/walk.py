"""Walks over all objects of a game's state and records what its next turns can depend on."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import BuiltinFunctionType, CodeType, MappingProxyType, MethodType
from typing import Any

import numpy as np

from engine.play.game import Game
from engine.prove.state.builtin_parts import ATOMS, BUILTINS, Opaque, is_by_address
from engine.prove.state.code_parts import Parts
from engine.prove.state.object_parts import instance, parts, reader

_DECLARING_FUNCTIONS = frozenset(
    "_get_valid_actions _get_valid_clickable_actions _get_valid_placeble_actions"
    " _is_sprite_clickable_now".split()
)


@lru_cache(maxsize=16)
def identifiers(text: str) -> frozenset[str]:
    """Every identifier-like word of a source, those in texts and comments too."""
    return frozenset(re.findall(r"\w+", text))


@lru_cache(maxsize=16)
def valid_actions_depend_on_last_action(text: str) -> bool:
    """Whether a function that declares the valid actions, or one that it names, reads `action`."""
    if identifiers(text).isdisjoint(_DECLARING_FUNCTIONS):
        return False
    named: dict[str, set[str]] = {}
    reading: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            attributes = {one.attr for one in ast.walk(node) if isinstance(one, ast.Attribute)}
            names = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
            named.setdefault(node.name, set()).update(attributes | names)
            if "action" in attributes:
                reading.add(node.name)
    waiting, reached = list(_DECLARING_FUNCTIONS), set[str]()
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting.extend(named.get(name, ()))
    return not reading.isdisjoint(reached)


MOST_OBJECTS = 3_000_000
"""A state with more is taken for opaque."""
MOST_PLAIN_TUPLES = 100_000
PLAIN_TUPLE_DEPTH = 50

_ACTION_ATTRIBUTES = ("_action", "_action_complete", "_full_reset", "_action_count")
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")  # a random one
_UUID_LENGTH = 36
_LEAST_ADDRESS = 2**32
_VALUES = frozenset(
    {tuple, frozenset, CodeType, MethodType, BuiltinFunctionType, MappingProxyType, np.dtype}
    | {type({}.keys()), type({}.values()), type({}.items()), range}
)
"""Types whose objects are compared by value: which of two equal objects it is makes no difference."""
_REVISITED = frozenset({np.ndarray, set, frozenset})
"""Types that need a second pass, when all objects have their numbers."""


class StateReader:
    """Reads what belongs to the state of one source's games.

    arcengine stores the last action, the number of actions and two flags in the rules. They cannot change the
    turn after the next action, RESET apart, unless the source itself uses them or makes the valid actions
    depend on the last action. In all other sources they are left out.
    """

    def __init__(self, text: str) -> None:
        mentioned = identifiers(text)
        left_out = {name for name in _ACTION_ATTRIBUTES if name not in mentioned}
        if valid_actions_depend_on_last_action(text):
            left_out.discard("_action")
        self._left_out = frozenset(left_out)
        self._reads_actions = bool({"action_data", "set_data"} & mentioned)
        self._reads_bases = "base" in mentioned
        self._plain_tuples: dict[int, Any] = {}

    def read_rules(self, rules: Any) -> Parts:
        """The parts of the rules that the next turns can depend on."""
        return instance(rules, self._left_out)

    def is_plain_tuple(self, obj: Any, depth: int = 0) -> bool:
        """Whether a tuple contains only atoms, strings and other plain tuples."""
        if id(obj) in self._plain_tuples:
            return True
        for one in obj:
            kind = type(one)
            if kind in ATOMS:
                continue
            if kind is str:
                if len(one) == _UUID_LENGTH:
                    return False
            elif kind is not tuple or depth > PLAIN_TUPLE_DEPTH or not self.is_plain_tuple(one, depth + 1):
                return False
        if len(self._plain_tuples) >= MOST_PLAIN_TUPLES:
            self._plain_tuples.clear()
        self._plain_tuples[id(obj)] = obj  # holds it, so that its address is not used again
        return True

    def bases(self, array: Any) -> Iterator[Any]:
        """The object that an array is a view of, if the source uses `base`."""
        if self._reads_bases and array.base is not None:
            yield array.base

    def action_data(self) -> list[Any]:
        """The data that arcengine's actions have from the last set_data call of the process."""
        if not self._reads_actions:
            return []
        return [dict(vars(action.action_data)) for action in sys.modules["arcengine"].GameAction]


class Walk:
    """One walk, depth first, from the last root to the first; `out` is what is hashed."""

    def __init__(self, reader: StateReader, game: Game, outside: Mapping[int, int]) -> None:
        self.out: list[Any] = []
        self.objects: list[Any] = []
        self.opaque: Any = None
        self._rules = game.state[0]
        self._roots = [*game.state, *reader.action_data()]
        self._reader = reader
        self._views: list[tuple[int, Any]] = []
        self._numbers: dict[int, int] = dict(outside)
        self._numbers[id(BUILTINS)] = -1  # every module refers to them: not entered
        self._uuids: dict[str, int] = {}
        self._unordered: list[Any] = []
        self._large: list[int] = []
        self._walk(list(self._roots))
        self._walk_unordered()
        self._rename_addresses()
        if self._views:
            self._record_overlaps()

    def _walk(self, stack: list[Any]) -> None:
        out, objects, numbers = self.out.append, self.objects, self._numbers
        is_plain_tuple = self._reader.is_plain_tuple
        while stack:
            obj = stack.pop()
            kind = type(obj)
            if kind in ATOMS:
                if kind is int and obj > _LEAST_ADDRESS:
                    self._large.append(len(self.out))
                out(obj)
                continue
            if kind is str:
                out(obj if len(obj) != _UUID_LENGTH else self._renamed(obj))
                continue
            if kind in _VALUES:
                if kind is tuple and is_plain_tuple(obj):
                    out(("pure", obj))
                    continue
            else:
                address = id(obj)
                if address in numbers:
                    out(("seen", numbers[address]))
                    continue
                numbers[address] = len(objects)
                objects.append(obj)
            header, children = self._read(obj, kind)
            out(header)
            out(len(children))
            if children:
                stack.extend(children[::-1])
                if len(objects) + len(stack) > MOST_OBJECTS:
                    self.opaque = obj
                    return

    def _walk_unordered(self) -> None:
        """Walks the sets that are ordered by address, when most of their members have their numbers."""
        for unordered in self._unordered:
            self._walk([one for one in unordered if id(one) not in self._numbers][::-1])
            self.out.append(
                (
                    "members",
                    type(unordered) is set,
                    *sorted(self._numbers.get(id(one), -2) for one in unordered),
                )
            )

    def _rename_addresses(self) -> None:
        """Replaces integers that are the `id` of an object by the object's number, the same in every game."""
        for place in self._large:
            number = self._numbers.get(self.out[place])
            if number is not None:
                self.out[place] = "address", number

    def _renamed(self, text: str) -> Any:
        """A random uuid, as in names of sprites, by the order in which uuids come; other text as it is."""
        if not _UUID.fullmatch(text):
            return text
        return "uuid", self._uuids.setdefault(text, len(self._uuids))

    def _read(self, obj: Any, kind: Any) -> Parts:
        try:
            if kind in _REVISITED:
                return self._read_revisited(obj)
            return self._reader.read_rules(obj) if obj is self._rules else reader(kind)(obj)
        except Opaque as problem:
            self.opaque = problem.args[0]
            return ("opaque",), ()

    def _read_revisited(self, obj: Any) -> Parts:
        header, children = parts(obj)
        if type(obj) is np.ndarray:
            if obj.base is None:
                return header, children
            self._views.append((len(self.objects) - 1, obj))
            return header, [*children, *self._reader.bases(obj)]
        if is_by_address(obj):
            self._unordered.append(obj)
            return ("unordered", *header), ()
        return header, children

    def _record_overlaps(self) -> None:
        """Records which arrays share memory, and where in it: writing to one changes the other."""
        shared: dict[int, dict[int, Any]] = {}
        for number, view in self._views:
            owner = view
            while getattr(owner, "base", None) is not None:
                owner = owner.base
            group = shared.setdefault(id(owner), {})
            group[number] = view
            if isinstance(owner, np.ndarray) and id(owner) in self._numbers:
                group[self._numbers[id(owner)]] = owner
        for group in shared.values():
            if len(group) > 1:
                members = sorted(group.items())
                origin = members[0][1].__array_interface__["data"][0]
                for number, view in members:
                    offset = view.__array_interface__["data"][0] - origin
                    self.out.append(("overlap", number, offset, view.strides))

    def opaque_place(self) -> str:
        """The attribute names that lead from the rules to the opaque object."""
        waiting: list[tuple[Any, str]] = [(root, "the environment") for root in reversed(self._roots)]
        visited: set[int] = set()
        for obj, path in waiting:
            if obj is self.opaque:
                return path
            if id(obj) in visited or type(obj) in ATOMS or type(obj) is str:
                continue
            visited.add(id(obj))
            try:
                header, children = self._reader.read_rules(obj) if obj is self._rules else parts(obj)
            except Opaque:
                continue
            waiting.extend(
                (child, f"{path}{label}")
                for child, label in zip(children, _labels(header, children), strict=True)
            )
        return "the environment"


def _labels(header: tuple[Any, ...], children: Any) -> list[str]:
    named: dict[str, tuple[int, int]] = {"instance": (1, 1), "texts": (1, 0), "class": (3, 1)}
    place, before = named.get(header[0], (0, 0))
    names = header[place] if place and len(header) > place else ()
    labels = [""] * before + [f".{name}" for name in names]
    return (labels + [""] * len(children))[: len(children)]
