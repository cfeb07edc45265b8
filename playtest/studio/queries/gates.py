"""What the gates of the pipeline ask of an environment, as far as the studio knows it.

Whether members of the public accept it is known further up: `playtest.insight.queries.board`.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from engine.qualify import FEWEST_LEVELS
from playtest.rules.pipeline import MOST_LIKELY_WIN, Fact, Need
from playtest.runs.models import UNFINISHED, RunStatus
from playtest.studio.models import Environment, Exploration, Qualification

type Facts = dict[Need, Fact]


def facts(environments: Collection[Environment]) -> dict[int, Facts]:
    """By the environment's pk; each environment with its `current` version."""
    versions = [environment.current_id for environment in environments if environment.current_id]
    qualifications = _by_version(
        Qualification.objects.filter(version__in=versions, full=True).defer("report").order_by("pk")
    )
    explorations = _by_version(
        Exploration.objects.filter(version__in=versions).defer("graph", "limits").order_by("pk")
    )
    return {
        environment.pk: _facts(
            environment,
            qualifications[environment.current_id or 0],
            explorations[environment.current_id or 0],
        )
        for environment in environments
    }


def _by_version(runs: Iterable[Any]) -> defaultdict[int, list[Any]]:
    found: defaultdict[int, list[Any]] = defaultdict(list)
    for run in runs:
        found[run.version_id].append(run)
    return found


def _facts(
    environment: Environment, qualifications: list[Qualification], explorations: list[Exploration]
) -> Facts:
    qualified = _qualified(qualifications)
    return {
        Need.VERSION: _version(environment),
        Need.NOTE: _there(bool(environment.note.strip()), "a designer's note"),
        Need.OWNER: _there(environment.owner_id is not None, "an owner"),
        Need.LEVELS: _levels(environment),
        Need.QUALIFIED: qualified,
        Need.UNGUESSABLE: _unguessable(environment, explorations, qualified),
    }


def _there(met: bool, words: str) -> Fact:
    return Fact(met, f"It has {words}." if met else f"It needs {words}.")


def _version(environment: Environment) -> Fact:
    if environment.current is None:
        return Fact(False, "Nothing has been imported.")
    digest = environment.current.digest
    return Fact(True, f"Version {digest[:8]} is imported.", {"digest": digest})


def _levels(environment: Environment) -> Fact:
    if environment.current is None:
        return Fact(False, "It needs levels.")
    levels = environment.current.levels
    has = f"It has {levels} level{'' if levels == 1 else 's'}"
    if levels < FEWEST_LEVELS:
        return Fact(False, f"{has}: at least {FEWEST_LEVELS} are needed.", {"levels_in_all": levels})
    return Fact(True, f"{has}.", {"levels_in_all": levels})


def _qualified(qualifications: list[Qualification]) -> Fact:
    """By the latest full one that is done; one that is being done is only told of."""
    done = [one for one in qualifications if one.status == RunStatus.DONE]
    under_way = [one for one in qualifications if one.status in UNFINISHED]
    if not done:
        words = "A full qualification is under way." if under_way else "It needs a full qualification."
        return Fact(False, words)
    latest = done[-1]
    data = {"qualification": latest.pk, "passed": latest.passed, "seed": latest.seed}
    if latest.passed:
        return Fact(True, "The full qualification passed.", data)
    again = "; another is under way." if under_way else "."
    return Fact(False, f"The latest full qualification did not pass{again}", data)


def _unguessable(environment: Environment, explorations: list[Exploration], qualified: Fact) -> Fact:
    if environment.current is None:
        return Fact(False, "It needs levels to search.")
    done = {one.level: one for one in explorations if one.status == RunStatus.DONE}
    levels = range(2, environment.current.levels + 1)
    if unsearched := [level for level in levels if level not in done]:
        graphs = "state graph" if len(unsearched) == 1 else "state graphs"
        return Fact(False, f"The {graphs} of {_named(unsearched)} must be searched.")
    judged = {level: _judged(done[level], qualified) for level in levels}
    data = {"levels": {str(level): reason for level, (_, reason) in judged.items()}}
    if guessable := [level for level, (good, _) in judged.items() if not good]:
        words = f"A random player may win {_named(guessable)}: {judged[guessable[0]][1]}."
        return Fact(False, words, data)
    return Fact(True, "No level past the first is won by a random player.", data)


def _judged(exploration: Exploration, qualified: Fact) -> tuple[bool, str]:
    """Whether a level is too hard for a random player, and by what.

    Either the chance of ever winning is small enough, or that within the budget is: where no level is ever
    lost, everyone wins in the end. A graph too large to tell is left to the million random steps of the full
    qualification.
    """
    report = exploration.report
    ever, within = _upper(report.get("p_win")), report.get("p_win_within") or {}
    if ever <= MOST_LIKELY_WIN:
        return True, f"the chance of ever winning is at most {ever:.2g}"
    if _upper(within) <= MOST_LIKELY_WIN:
        words = f"the chance of winning within {within.get('steps', 0):,} actions is at most"
        return True, f"{words} {_upper(within):.2g}"
    if report.get("fully_explored"):
        return (
            False,
            f"the chance of winning within {within.get('steps', 0):,} actions is {_upper(within):.2g}",
        )
    if qualified.met:
        return True, "the graph is too large to tell; random play of the full qualification did not win"
    return False, "the graph is too large to tell, and no full qualification has passed"


def _upper(chance: Mapping[str, Any] | None) -> float:
    return float((chance or {}).get("upper", 1.0))


def _named(levels: list[int]) -> str:
    if len(levels) == 1:
        return f"level {levels[0]}"
    return f"levels {', '.join(map(str, levels[:-1]))} and {levels[-1]}"
