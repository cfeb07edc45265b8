"""What a source says, as far as it decides what belongs to a state."""

from __future__ import annotations

import ast
import re
from functools import lru_cache

_DECLARING = frozenset(
    "_get_valid_actions _get_valid_clickable_actions _get_valid_placeble_actions"
    " _is_sprite_clickable_now".split()
)


@lru_cache(maxsize=16)
def words(text: str) -> frozenset[str]:
    """Every word of a source."""
    return frozenset(re.findall(r"\w+", text))


@lru_cache(maxsize=16)
def declares_by_last_action(text: str) -> bool:
    """Whether what tells the valid actions, or a function it names, reads `action`: that of the last turn."""
    if words(text).isdisjoint(_DECLARING):
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
    waiting, reached = list(_DECLARING), set[str]()
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting.extend(named.get(name, ()))
    return not reading.isdisjoint(reached)
