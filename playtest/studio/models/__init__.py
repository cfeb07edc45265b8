"""Environments, their stages, and the jobs and evidence of each version."""

from playtest.studio.models.cards import CardComment, CardRevision, CardSignOff, SpecificationCard
from playtest.studio.models.environments import HELD_OUT, Environment, FirstFrame, ReleaseSet, Version
from playtest.studio.models.jobs import (
    Exploration,
    ExploredStates,
    Qualification,
    QualificationPart,
    RandomPlay,
)
from playtest.studio.models.likeness import LevelComparison, Likeness, RedundancyAnswer, RedundancyMark
from playtest.studio.models.masks import StateMask
from playtest.studio.models.pipeline import GateWaiver, StageMove, WaiverState
from playtest.studio.models.recordings import DEVELOPERS, Recording, RecordingChange, RecordingKind
from playtest.studio.models.sightings import TAKEN, Sighting, SightingKind
from playtest.studio.models.uploads import Import, UploadedVersion, UploadStatus

__all__ = [
    "DEVELOPERS",
    "HELD_OUT",
    "TAKEN",
    "CardComment",
    "CardRevision",
    "CardSignOff",
    "Environment",
    "Exploration",
    "ExploredStates",
    "FirstFrame",
    "GateWaiver",
    "Import",
    "LevelComparison",
    "Likeness",
    "Qualification",
    "QualificationPart",
    "RandomPlay",
    "Recording",
    "RecordingChange",
    "RecordingKind",
    "RedundancyAnswer",
    "RedundancyMark",
    "ReleaseSet",
    "Sighting",
    "SightingKind",
    "SpecificationCard",
    "StageMove",
    "StateMask",
    "UploadStatus",
    "UploadedVersion",
    "Version",
    "WaiverState",
]
