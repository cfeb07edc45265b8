"""Reads for the studio's page of an environment."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import QuerySet

from playtest.jobs.models import UNFINISHED, JobStatus
from playtest.rules.evidence import Verdict
from playtest.studio.models import (
    Environment,
    Exploration,
    Qualification,
    RandomPlay,
    Recording,
    RecordingChange,
    StageMove,
    Version,
)
from playtest.studio.queries.evidence import NEEDED_FROM, verdicts

_MOST_QUALIFICATIONS = 20
_MOST_FINDINGS = 100


@dataclass(frozen=True)
class Level:
    """A level of the current version, its latest exploration, and the latest that is done.

    `known`: what all evidence says; `playing` random tries wait for a worker or are being made. The first
    level `needs` no evidence.
    """

    number: int
    exploration: Exploration | None
    result: Exploration | None
    known: Verdict
    playing: int

    @property
    def needs(self) -> bool:
        return self.number >= NEEDED_FROM


def versions(environment: Environment) -> QuerySet[Version]:
    """All versions, the newest first, without their sources."""
    return environment.versions.defer("source", "metadata").order_by("-imported_at", "-pk")


def moves(environment: Environment) -> QuerySet[StageMove]:
    """The moves between stages, the latest first."""
    return environment.moves.select_related("moved_by", "version").defer("version__source").order_by("-pk")


def recordings(environment: Environment) -> Iterable[Recording]:
    """The recordings of the current version, without their turns."""
    stored = Recording.objects.filter(version=environment.current_id)
    listed = stored.defer("state_hashes", "milliseconds", "levels_completed").order_by("kind", "name")
    return listed[:_MOST_FINDINGS]


def recording_changes(environment: Environment) -> Iterable[RecordingChange]:
    """The changes of recordings of the current version, the latest first."""
    made = RecordingChange.objects.filter(version=environment.current_id).select_related("changed_by")
    return made.order_by("-pk")[:_MOST_FINDINGS]


def qualifications(environment: Environment) -> Iterable[Qualification]:
    """The latest qualifications of any version, the newest first."""
    found = Qualification.objects.filter(version__environment=environment).defer("report", "version__source")
    return found.select_related("version", "requested_by").order_by("-pk")[:_MOST_QUALIFICATIONS]


def levels(environment: Environment) -> list[Level]:
    """Each level of the current version."""
    if environment.current is None:
        return []
    explorations = Exploration.objects.filter(version=environment.current).defer("graph").order_by("pk")
    latest = {one.level: one for one in explorations}
    done = {one.level: one for one in explorations if one.status == JobStatus.DONE}
    playing: Counter[int] = Counter()
    waiting = RandomPlay.objects.filter(version=environment.current, status__in=UNFINISHED)
    for level, tries in waiting.values_list("level", "total"):
        playing[level] += tries
    judged = verdicts([environment.current])[environment.current.pk]
    return [
        Level(one.level, latest.get(one.level), done.get(one.level), one, playing[one.level])
        for one in judged
    ]
