"""Simulated people, pure and seeded: from what they see follows what they do next, and when."""

from playtest.rehearsal.people.person import Kind, Person
from playtest.rehearsal.people.population import population
from playtest.rehearsal.people.steps import (
    Act,
    Answer,
    FocusChange,
    Leave,
    Press,
    Scene,
    Solution,
    Solutions,
    Step,
    WalkOut,
)

__all__ = [
    "Act",
    "Answer",
    "FocusChange",
    "Kind",
    "Leave",
    "Person",
    "Press",
    "Scene",
    "Solution",
    "Solutions",
    "Step",
    "WalkOut",
    "population",
]
