"""The global random generators of Python and NumPy, seeded before every action."""

from __future__ import annotations

import random
import re
import unicodedata
from functools import lru_cache
from hashlib import blake2b

import numpy as np

# Modules that never draw from a global generator and lead to no other module by name.
_HARMLESS_MODULES = frozenset(
    {
        *("__future__", "abc", "arcengine", "bisect", "collections", "copy", "dataclasses", "enum"),
        *("heapq", "itertools", "math", "numpy", "typing"),
    }
)
# With these a name that the text does not contain can be put together.
_REACHING_WORDS = frozenset(
    {
        *("random", "testing", "getattr", "eval", "exec", "compile", "globals", "locals", "vars"),
        *("sys", "modules", "builtins", "importlib", "get_type_hints", "make_dataclass", "operator"),
        *("ctypeslib", "f2py", "inspect", "setattr", "pickle", "loads", "load", "ForwardRef"),
    }
)
_REACHING_DUNDERS = frozenset(
    {
        *("__import__", "__dict__", "__globals__", "__getattribute__", "__builtins__", "__loader__"),
        *("__spec__", "__reduce__", "__subclasses__", "__getattr__"),
    }
)
_IMPORT = re.compile(
    r"^\ufeff?[ \t]*(?:from[ \t]+(?P<source>\w+)[\w.]*[ \t]+import\b"
    r"|import[ \t]+(?P<module>\w+)[\w.]*(?:[ \t]+as[ \t]+\w+)?[ \t]*$)",
    re.MULTILINE,
)


def seed_generators(seed: int, moment: int | str) -> None:
    """Seeds both generators from a game's seed and a moment of it: the seq of a turn, or a name."""
    digest = blake2b(f"{seed}/{moment}".encode(), digest_size=12).digest()
    random.seed(int.from_bytes(digest[:8], "little"))
    np.random.seed(int.from_bytes(digest[8:], "little"))


@lru_cache(maxsize=64)
def can_draw(text: str) -> bool:
    """Whether a source may draw from the global generators; seeding them takes as long as a short action.

    True unless all that it imports is known not to lead to them, and no word of it names them or anything
    that finds things by a name that is put together. Words in comments and texts count.
    """
    text = unicodedata.normalize("NFKC", text)  # as Python reads names
    names = set(re.findall(r"\w+", text))
    if not names.isdisjoint(_REACHING_WORDS | _REACHING_DUNDERS):
        return True
    # Not by the syntax tree, which takes as long as compiling. Imports of other forms count as unknown.
    imported = [one["source"] or one["module"] for one in _IMPORT.finditer(text)]
    is_understood = len(imported) == len(re.findall(r"\bimport\b", text))
    return not is_understood or not set(imported) <= _HARMLESS_MODULES


def were_drawn_from(seed: int, moment: int) -> bool:
    """Whether either generator was drawn from since it was seeded. Draws from both."""
    drawn_next = _draw_next()
    return drawn_next != _first_draws(seed, moment)


def _draw_next() -> tuple[int, bytes]:
    """The next draw of each generator, which stands for its state and is much faster to read."""
    return random.getrandbits(64), np.random.bytes(8)


@lru_cache(maxsize=4096)
def _first_draws(seed: int, moment: int) -> tuple[int, bytes]:
    seed_generators(seed, moment)
    return _draw_next()
