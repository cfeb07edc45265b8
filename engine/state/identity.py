"""What tells two states of a game apart: everything its next turns can depend on, in a few bytes.

The walk begins at the rules object and follows everything it can reach: attributes and slots, containers,
arrays, functions with their closures and defaults, generators with their loops, the environment's own classes
and module, generators of random numbers. It notes values and which objects are the same object, never
addresses: equal states of two games have equal digests, in any process of one hash seed.

Beyond its reach is what an environment leaves outside of itself: in an imported module, the process or the
world. Whoever merges states by this digest should therefore try some merges (`engine.exploration`).
"""

from __future__ import annotations

import marshal
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from types import BuiltinFunctionType, CodeType, MappingProxyType, MethodType
from typing import Any

import numpy as np

from engine.game import Game
from engine.state.builtin_parts import ATOMS, BUILTINS, Opaque, is_by_address
from engine.state.code_parts import Parts
from engine.state.object_parts import instance, parts, reader
from engine.state.source_scan import declares_by_last_action, words

MOST_OBJECTS = 3_000_000
MOST_PURE = 100_000
PURE_DEPTH = 50

_LEFT_OUT = ("_action", "_action_complete", "_full_reset", "_action_count")
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")  # a random one
_UUID_LENGTH = 36
_LEAST_ADDRESS = 2**32
_VALUES = frozenset(
    {tuple, frozenset, CodeType, MethodType, BuiltinFunctionType, MappingProxyType, np.dtype}
    | {type({}.keys()), type({}.values()), type({}.items()), range}
)
"""Kinds of which it does not matter which object it is, only what is in it."""
_NOTED = frozenset({np.ndarray, set, frozenset})
"""Kinds of which more is said once everything has its number."""


@dataclass(frozen=True, slots=True)
class Identity:
    """A state's `digest`, and all its objects (`things`) in the order of the walk, values left out.

    `opaque` says where the walk could not see in, "" when it saw everything. The digest of a state that was
    not wholly seen is unlike any other.
    """

    digest: bytes
    things: list[Any]
    opaque: str


class Identifier:
    """Identifies states of one source's games.

    arcengine keeps the last action, the count of actions and two flags in the rules. None of them reaches the
    turn after the next action, RESET apart, unless the source itself mentions them or lets the last action
    decide what is valid: so they are left out.
    """

    def __init__(self, text: str) -> None:
        mentioned = words(text)
        left_out = {name for name in _LEFT_OUT if name not in mentioned}
        if declares_by_last_action(text):
            left_out.discard("_action")
        self._left_out = frozenset(left_out)
        self._reads_actions = bool({"action_data", "set_data"} & mentioned)
        self._reads_bases = "base" in mentioned
        self._pure: dict[int, Any] = {}
        self._unseen = 0
        self._said: dict[type, str] = {}

    def identify(self, game: Game, fixed: Mapping[int, int] = MappingProxyType({})) -> Identity:
        """The identity of a game's present state.

        `fixed` numbers objects, by their address, that the walk does not enter: they are named by their
        number, which is below -2. Such digests compare only states of one game with the same `fixed`.
        """
        walk = _Walk(self, game.state[0], [*game.state, *self._actions()], fixed)
        opaque = ""
        if walk.opaque is not None:
            self._unseen += 1
            walk.out.append(("unseen", self._unseen))
            opaque = self._where(walk)
        digest = blake2b(marshal.dumps(walk.out, 2), digest_size=16).digest()
        return Identity(digest, walk.things, opaque)

    def read(self, rules: Any) -> Parts:
        """The parts of the rules that reach the next turn."""
        return instance(rules, self._left_out)

    def is_pure(self, thing: Any, depth: int = 0) -> bool:
        """Whether a tuple holds nothing but atoms, texts and the like of itself."""
        if id(thing) in self._pure:
            return True
        for one in thing:
            kind = type(one)
            if kind in ATOMS:
                continue
            if kind is str:
                if len(one) == _UUID_LENGTH:
                    return False
            elif kind is not tuple or depth > PURE_DEPTH or not self.is_pure(one, depth + 1):
                return False
        if len(self._pure) >= MOST_PURE:
            self._pure.clear()
        self._pure[id(thing)] = thing  # kept, so that its address names nothing else
        return True

    def bases(self, array: Any) -> Iterator[Any]:
        """What an array is a view of, if the source could ask for it."""
        if self._reads_bases and array.base is not None:
            yield array.base

    def _actions(self) -> list[Any]:
        """arcengine's actions carry the data of the last call of set_data, for the whole process."""
        if not self._reads_actions:
            return []
        return [dict(vars(action.action_data)) for action in sys.modules["arcengine"].GameAction]

    def _where(self, walk: _Walk) -> str:
        kind = type(walk.opaque)
        if kind not in self._said:
            self._said[kind] = f"{_trail(self, walk)} ({kind.__module__}.{kind.__qualname__})"
        return self._said[kind]


class _Walk:
    """One walk: depth first, from the last root to the first; `out` is what is hashed."""

    def __init__(
        self, identifier: Identifier, rules: Any, roots: list[Any], fixed: Mapping[int, int]
    ) -> None:
        self.out: list[Any] = []
        self.things: list[Any] = []
        self.opaque: Any = None
        self.roots = roots
        self.rules = rules
        self._identifier = identifier
        self._views: list[tuple[int, Any]] = []
        self._numbers: dict[int, int] = dict(fixed)
        self._numbers[id(BUILTINS)] = -1  # every module refers to them: not looked into
        self._uuids: dict[str, int] = {}
        self._unordered: list[Any] = []
        self._large: list[int] = []
        self._walk(list(roots))
        self._walk_unordered()
        self._rename_addresses()
        if self._views:
            self._note_overlaps()

    def _walk(self, stack: list[Any]) -> None:
        out, things, numbers, pure = self.out.append, self.things, self._numbers, self._identifier.is_pure
        while stack:
            thing = stack.pop()
            kind = type(thing)
            if kind in ATOMS:
                if kind is int and thing > _LEAST_ADDRESS:
                    self._large.append(len(self.out))
                out(thing)
                continue
            if kind is str:
                out(thing if len(thing) != _UUID_LENGTH else self._renamed(thing))
                continue
            if kind in _VALUES:
                if kind is tuple and pure(thing):
                    out(("pure", thing))
                    continue
            else:
                address = id(thing)
                if address in numbers:
                    out(("seen", numbers[address]))
                    continue
                numbers[address] = len(things)
                things.append(thing)
            header, children = self._read(thing, kind)
            out(header)
            out(len(children))
            if children:
                stack.extend(children[::-1])
                if len(things) + len(stack) > MOST_OBJECTS:
                    self.opaque = thing
                    return

    def _walk_unordered(self) -> None:
        """Sets of things that have no order of their own, now that most of these have their numbers."""
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
        """Environments keep things by their `id`, which is another in every game: it says which thing."""
        for place in self._large:
            number = self._numbers.get(self.out[place])
            if number is not None:
                self.out[place] = "address", number

    def _renamed(self, text: str) -> Any:
        """arcengine names sprites by random uuids: which one comes again is all that they say."""
        if not _UUID.fullmatch(text):
            return text
        return "uuid", self._uuids.setdefault(text, len(self._uuids))

    def _read(self, thing: Any, kind: Any) -> Parts:
        try:
            if kind in _NOTED:
                return self._noted(thing)
            return self._identifier.read(thing) if thing is self.rules else reader(kind)(thing)
        except Opaque as problem:
            self.opaque = problem.args[0]
            return ("opaque",), ()

    def _noted(self, thing: Any) -> Parts:
        header, children = parts(thing)
        if type(thing) is np.ndarray:
            if thing.base is None:
                return header, children
            self._views.append((len(self.things) - 1, thing))
            return header, [*children, *self._identifier.bases(thing)]
        if is_by_address(thing):
            self._unordered.append(thing)
            return ("unordered", *header), ()
        return header, children

    def _note_overlaps(self) -> None:
        """Which arrays show the same memory, and where in it: writing to one changes the other."""
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


def _trail(identifier: Identifier, walk: _Walk) -> str:
    """The names that lead from the rules to what could not be seen."""
    waiting: list[tuple[Any, str]] = [(root, "the environment") for root in reversed(walk.roots)]
    seen: set[int] = set()
    for thing, trail in waiting:
        if thing is walk.opaque:
            return trail
        if id(thing) in seen or type(thing) in ATOMS or type(thing) is str:
            continue
        seen.add(id(thing))
        try:
            header, children = identifier.read(thing) if thing is walk.rules else parts(thing)
        except Opaque:
            continue
        waiting.extend(
            (child, f"{trail}{label}")
            for child, label in zip(children, _labels(header, children), strict=True)
        )
    return "the environment"


def _labels(header: tuple[Any, ...], children: Any) -> list[str]:
    named: dict[str, tuple[int, int]] = {"instance": (1, 1), "texts": (1, 0), "class": (3, 1)}
    place, before = named.get(header[0], (0, 0))
    names = header[place] if place and len(header) > place else ()
    labels = [""] * before + [f".{name}" for name in names]
    return (labels + [""] * len(children))[: len(children)]
