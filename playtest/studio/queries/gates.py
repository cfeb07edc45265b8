"""The facts that the gates of the pipeline need, as far as the studio knows them.

Whether members of the public accept it is known in a higher room: `playtest.insight.pages.board.board`.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.db.models import F

from engine.prove.qualification.plan import FEWEST_LEVELS, RULES
from playtest.jobs.models import UNFINISHED, JobStatus
from playtest.rules.evidence import Standing, Verdict
from playtest.rules.notes import unwritten
from playtest.rules.pipeline import Fact, Need
from playtest.studio.models import Environment, Qualification, Version
from playtest.studio.queries import cards, redundancy
from playtest.studio.queries.evidence import NEEDED_FROM, verdicts

type Facts = dict[Need, Fact]


def facts(
    environments: Collection[Environment], marks: Mapping[int, list[redundancy.Marked]]
) -> dict[int, Facts]:
    """The facts by the environment's pk; pass each environment with its `current` version, and its marks."""
    versions = [environment.current for environment in environments if environment.current is not None]
    qualifications = _by_version(
        Qualification.objects.filter(version__in=versions, full=True)
        .annotate(rules=F("report__rules"))
        .defer("report")
        .order_by("pk")
    )
    judged, carded = verdicts(versions), cards.facts(environments)
    distinct = redundancy.facts(environments, marks)
    return {
        environment.pk: {Need.CARD: carded[environment.pk], Need.DISTINCT: distinct[environment.pk]}
        | _facts(environment, qualifications[environment.current_id or 0], judged)
        for environment in environments
    }


def _by_version(jobs: Iterable[Any]) -> defaultdict[int, list[Any]]:
    found: defaultdict[int, list[Any]] = defaultdict(list)
    for job in jobs:
        found[job.version_id].append(job)
    return found


def _facts(
    environment: Environment, qualifications: list[Qualification], judged: Mapping[int, list[Verdict]]
) -> Facts:
    return {
        Need.VERSION: _version(environment.current),
        Need.NOTE: _note(environment.note),
        Need.OWNER: _has(environment.owner_id is not None, "an owner"),
        Need.LEVELS: _levels(environment.current),
        Need.QUALIFIED: _qualified(qualifications),
        Need.UNGUESSABLE: unguessable(judged.get(environment.current_id or 0, [])),
    }


def _has(met: bool, thing: str) -> Fact:
    return Fact(met, f"It has {thing}." if met else f"It needs {thing}.")


def _note(note: str) -> Fact:
    if not note.strip():
        return Fact(False, "It needs a designer's note.")
    if empty := unwritten(note):
        return Fact(False, f"Its designer's note does not say: {', '.join(empty)}.", {"unwritten": empty})
    return Fact(True, "It has a designer's note.")


def _version(version: Version | None) -> Fact:
    if version is None:
        return Fact(False, "Nothing has been imported.")
    return Fact(True, f"Version {version.digest[:8]} is imported.", {"digest": version.digest})


def _levels(version: Version | None) -> Fact:
    if version is None:
        return Fact(False, "It needs levels.")
    levels = version.levels
    has = f"It has {levels} level{'' if levels == 1 else 's'}"
    if levels < FEWEST_LEVELS:
        return Fact(False, f"{has}: at least {FEWEST_LEVELS} are needed.", {"levels_in_all": levels})
    return Fact(True, f"{has}.", {"levels_in_all": levels})


def _qualified(qualifications: list[Qualification]) -> Fact:
    """The fact by the latest full qualification that is done; an unfinished one is only mentioned."""
    done = [one for one in qualifications if one.status == JobStatus.DONE]
    unfinished = [one for one in qualifications if one.status in UNFINISHED]
    if not done:
        sentence = "A full qualification is under way." if unfinished else "It needs a full qualification."
        return Fact(False, sentence)
    latest = done[-1]
    data = {"qualification": latest.pk, "passed": latest.passed, "seed": latest.seed}
    if latest.passed and latest.rules != RULES:  # type: ignore[attr-defined]
        sentence = "The full qualification passed by older rules. Qualify it again."
        return Fact(False, sentence, data)
    if latest.passed:
        return Fact(True, "The full qualification passed.", data)
    again = "; another is under way." if unfinished else "."
    return Fact(False, f"The latest full qualification did not pass{again}", data)


def unguessable(judged: list[Verdict]) -> Fact:
    """Whether evidence shows each level past the first to be too hard for a random player."""
    needed = [one for one in judged if one.level >= NEEDED_FROM]
    if not judged:
        return Fact(False, "It needs levels to explore.")
    data = {"levels": {str(one.level): one.reason for one in needed}}
    if easy := [one for one in needed if one.standing == Standing.TOO_EASY]:
        return Fact(False, _first_of(easy, "too easy"), data)
    if open_ := [one for one in needed if not one.met]:
        return Fact(False, _first_of(open_, "not shown to be hard enough"), data)
    return Fact(True, "Each level past the first is won by chance at most once in 10,000 tries.", data)


def _first_of(verdicts: list[Verdict], what: str) -> str:
    """The sentence about the first, and the numbers of the other levels like it."""
    first, *others = verdicts
    numbers = ", ".join(str(one.level) for one in others)
    more = f" Also {what}: level{'s' * (len(others) > 1)} {numbers}." if others else ""
    return f"{first.sentence}{more}"
