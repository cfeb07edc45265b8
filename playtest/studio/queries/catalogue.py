"""Reads for the studio's page of an environment."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import Prefetch, QuerySet

from playtest.jobs.models import UNFINISHED, JobStatus
from playtest.rules.evidence import Verdict
from playtest.studio.models import (
    Environment,
    Exploration,
    FirstFrame,
    Qualification,
    RandomPlay,
    Recording,
    RecordingChange,
    StageMove,
    UploadedVersion,
    Version,
)
from playtest.studio.queries.evidence import NEEDED_FROM, verdicts

_MOST_QUALIFICATIONS = 20
_MOST_FINDINGS = 100
_MOST_EQUAL = 5


@dataclass(frozen=True)
class Level:
    """A level of the current version, its latest exploration, and the latest that is done.

    `known`: what all evidence says; `playing`: random play of it waits or is under way. The first
    level `needs` no evidence.
    """

    number: int
    exploration: Exploration | None
    result: Exploration | None
    known: Verdict
    playing: bool

    @property
    def needs(self) -> bool:
        return self.number >= NEEDED_FROM


class PicturedLevel(NamedTuple):
    """A level of two versions: which has it, and whether its first frame changed, if both are drawn."""

    number: int
    before: bool
    after: bool
    changed: bool


def pictured_levels(before: Version | None, after: Version) -> list[PicturedLevel]:
    """The levels of two versions, as many as the one with more has."""
    levels = before.levels if before else 0
    drawn: defaultdict[int, set[bytes]] = defaultdict(set)
    for one in FirstFrame.objects.filter(version__in=[one for one in (before, after) if one]):
        drawn[one.level].add(bytes(one.frame))
    return [
        PicturedLevel(number, number <= levels, number <= after.levels, len(drawn[number]) > 1)
        for number in range(1, max(levels, after.levels) + 1)
    ]


def equal_elsewhere(version: Version) -> list[str]:
    """A remark if environments of other ids have the same source, with their sets."""
    others = Environment.objects.filter(versions__digest=version.digest, versions__is_draft=False)
    named = [
        f"{one.code} (set: {one.get_release_set_display()})"
        for one in others.exclude(pk=version.environment_id).distinct()[:_MOST_EQUAL]
    ]
    return [f"equal: {' and '.join(named)} {'is' if len(named) == 1 else 'are'} the same"] if named else []


def versions(environment: Environment) -> QuerySet[Version]:
    """All versions, the newest first, without their sources; with their uploads, the latest first."""
    uploads = UploadedVersion.objects.select_related("uploaded_by").order_by("-pk")
    found = environment.versions.defer("source", "metadata").order_by("-imported_at", "-pk")
    return found.prefetch_related(Prefetch("uploads", uploads))


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
    waiting = RandomPlay.objects.filter(version=environment.current, status__in=UNFINISHED)
    playing = set(waiting.values_list("level", flat=True))
    judged = verdicts([environment.current])[environment.current.pk]
    return [
        Level(one.level, latest.get(one.level), done.get(one.level), one, one.level in playing)
        for one in judged
    ]
