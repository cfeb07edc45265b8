"""Simulated people: pure and seeded. They see a scene and say what they do next, and after how long."""

from playtest.rehearsal.people.cast import cast
from playtest.rehearsal.people.doing import Answer, Doing, Leave, Look, Press, Scene, Step, WalkOut
from playtest.rehearsal.people.person import Kind, Person
from playtest.rehearsal.people.ways import Way, Ways

__all__ = [
    "Answer",
    "Doing",
    "Kind",
    "Leave",
    "Look",
    "Person",
    "Press",
    "Scene",
    "Step",
    "WalkOut",
    "Way",
    "Ways",
    "cast",
]
