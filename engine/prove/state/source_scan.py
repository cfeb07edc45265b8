"""Scans an environment's source for names that decide what belongs to its state."""

from __future__ import annotations

import ast
import re
from functools import lru_cache

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
