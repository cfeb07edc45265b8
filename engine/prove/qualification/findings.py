"""What the checks of a qualification find, and the actions that show it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from engine.play.actions import Action
from engine.prove.qualification.plan import RECORDINGS


@dataclass(frozen=True, slots=True)
class Trajectory:
    """Actions from the start of `level` with `seed`, and the states that they led to.

    `hashes` are the state hashes after the opening and after each action that did not fail. `as_arcengine`:
    the actions follow arcengine's rules (`Game.start`).
    """

    seed: int
    level: int
    actions: tuple[Action, ...]
    hashes: tuple[bytes, ...] = ()
    as_arcengine: bool = False

    def as_json(self) -> dict[str, Any]:
        """The fields of a stored recording."""
        return {
            "seed": self.seed,
            "level": self.level,
            "actions": [[action.id, action.x, action.y] for action in self.actions],
            "state_hashes": [state_hash.hex() for state_hash in self.hashes],
            "as_arcengine": self.as_arcengine,
        }


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a check found, `count` times. A `note` does not fail the qualification."""

    check: str
    code: str
    message: str
    level: int | None = None
    note: bool = False
    count: int = 1
    recording: dict[str, Any] | None = None

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> Finding:
        """The finding that `as_json` returned."""
        return cls(**stored)

    def as_json(self) -> dict[str, Any]:
        """The stored form."""
        return asdict(self)


def merged(findings: Iterable[Finding]) -> list[Finding]:
    """The first finding of each check, code and level, with the count of all.

    Findings about recordings are merged only if their messages are equal.
    """
    found: dict[tuple[str, str, int | None, str], Finding] = {}
    for finding in findings:
        own = finding.message if finding.check == RECORDINGS else ""
        key = finding.check, finding.code, finding.level, own
        first = found.get(key)
        found[key] = finding if first is None else replace(first, count=first.count + finding.count)
    return list(found.values())
