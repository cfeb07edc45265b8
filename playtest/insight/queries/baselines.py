"""Baselines, read from the journal."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from playtest.play.errors import Refusal
from playtest.play.models import Entry
from playtest.review.queries.exclusions import Exclusion, exclusions
from playtest.rules.attempt import LevelActions, LevelEntry, level_actions
from playtest.rules.baseline import LevelBaseline, level_baseline
from playtest.studio.models import Environment, Version


@dataclass(frozen=True)
class Completion:
    """One person's first run of a level: whose, in which attempt, with how many actions (resets included).

    `excluded` is the reviewers' decision that leaves it out, if there is one.
    """

    attempt_id: int
    participant: str
    counts: LevelActions
    excluded: Exclusion | None = None


@dataclass(frozen=True)
class LevelReport:
    """A level's baseline, the completions behind it and those left out of it, each fewest actions first."""

    level: int
    baseline: LevelBaseline
    completions: tuple[Completion, ...]
    left_out: tuple[Completion, ...]


def find_version(environment_id: str, digest_prefix: str = "") -> Version:
    """The environment's current version, or the one whose digest begins so.

    Refusal 404: environment_unknown, version_unknown, version_ambiguous.
    """
    environment = Environment.objects.select_related("current").filter(code=environment_id).first()
    if environment is None or environment.current is None:
        raise Refusal("environment_unknown", f"There is no environment {environment_id!r} here.", status=404)
    if not digest_prefix:
        return environment.current
    found = list(environment.versions.filter(digest__startswith=digest_prefix)[:2])
    if not found:
        message = f"No version of {environment_id} has a digest that begins with {digest_prefix!r}."
        raise Refusal("version_unknown", message, status=404)
    if len(found) > 1:
        message = (
            f"Several versions of {environment_id} begin with {digest_prefix!r}: give more of the digest."
        )
        raise Refusal("version_ambiguous", message, status=404)
    return found[0]


def level_reports(version: Version, *, with_excluded: bool = False) -> list[LevelReport]:
    """One report for each level of a version, from everyone who completed the level on a first run.

    Every run is a first one, because nobody meets an environment twice. Simulated people and rehearsals are
    left out, and so is what reviewers excluded unless `with_excluded`: whole attempts, or the levels
    completed from a moment on.
    """
    completions: defaultdict[int, list[Completion]] = defaultdict(list)
    for completion in _completions(version):
        completions[completion.counts.level].append(completion)
    return [_report(level, completions[level], with_excluded) for level in range(1, version.levels + 1)]


def _report(level: int, completions: list[Completion], with_excluded: bool) -> LevelReport:
    ranked = sorted(completions, key=lambda completion: (completion.counts.actions, completion.attempt_id))
    counted = [completion for completion in ranked if with_excluded or completion.excluded is None]
    left_out = [completion for completion in ranked if not with_excluded and completion.excluded is not None]
    baseline = level_baseline(completion.counts.actions for completion in counted)
    return LevelReport(level, baseline, tuple(counted), tuple(left_out))


def _completions(version: Version) -> Iterator[Completion]:
    completers = Entry.objects.filter(
        level_completed=True,
        attempt__version=version,
        attempt__participant__simulated=False,
        attempt__session__study__rehearsal=False,
    ).values("attempt")
    rows = (
        Entry.objects.filter(attempt__in=completers)
        .order_by("attempt", "seq")
        .values_list(
            "attempt",
            "attempt__session",
            "attempt__participant__label",
            "seq",
            "action",
            "level",
            "level_completed",
        )
    )
    excluded = exclusions()
    for (attempt_id, session_id, participant), entries in groupby(rows.iterator(), key=itemgetter(0, 1, 2)):
        seq = 0
        for counts in level_actions(LevelEntry(*entry[3:]) for entry in entries):
            seq += counts.actions  # actions count from 1 without gaps, so this is the completing one
            if counts.completed:
                yield Completion(attempt_id, participant, counts, excluded.of(session_id, attempt_id, seq))
