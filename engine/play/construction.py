"""Constructs an environment's class, with its own copies of arcengine's default arguments."""

from __future__ import annotations

import inspect
from typing import Any, cast

from arcengine import ARCBaseGame, Level, Sprite

from engine.errors import SourceError, describe_exception, memory_exceeded
from engine.play.source import Source, fresh_module

_CONSTRUCTORS: tuple[Any, ...] = (ARCBaseGame.__init__, Level.__init__, Sprite.__init__)
_SHARED_DEFAULTS = [(function, function.__defaults__) for function in _CONSTRUCTORS]


class ConstructorDefaults:
    """One game's own copies of the lists and dicts that arcengine's constructors take by default.

    arcengine keeps and hands out these very objects, so a game that appends to its available actions or to a
    sprite's tags would otherwise change every game of the process.
    """

    def __init__(self) -> None:
        self.copies = [(function, tuple(map(_own, values))) for function, values in _SHARED_DEFAULTS]

    def install(self) -> None:
        """Makes the constructors use these copies."""
        for function, values in self.copies:
            function.__defaults__ = values


def construct(source: Source, seed: int) -> ARCBaseGame:
    """A new instance of the environment's class.

    Raises SourceError import_failed, no_game_class, construction_failed; EnvironmentFault memory_exceeded.
    """
    found: Any = getattr(fresh_module(source), source.class_name, None)
    if not (isinstance(found, type) and issubclass(found, ARCBaseGame)):
        message = f"it defines no class {source.class_name} derived from ARCBaseGame."
        raise SourceError("no_game_class", message, file=source.path)
    try:
        takes_seed = "seed" in inspect.signature(found).parameters
        rules: ARCBaseGame = cast(Any, found)(**({"seed": seed} if takes_seed else {}))
    except MemoryError as error:
        raise memory_exceeded() from error
    except (Exception, SystemExit) as error:
        message = f"constructing {source.class_name} failed: {describe_exception(error)}."
        raise SourceError("construction_failed", message, file=source.path) from error
    return rules


def _own(default: Any) -> Any:
    return default.copy() if isinstance(default, (list, dict)) else default
