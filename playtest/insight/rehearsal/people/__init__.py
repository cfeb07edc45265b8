"""Simulated people: pure and seeded. They see a scene and say what they do next, and after how long."""

from playtest.insight.rehearsal.people.cast import cast
from playtest.insight.rehearsal.people.doing import Answer, Doing, Leave, Look, Press, Scene, Step, WalkOut
from playtest.insight.rehearsal.people.person import Kind, Person
from playtest.insight.rehearsal.people.ways import Way, Ways

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
