"""Attempts at the pairs of static tasks (ARC-AGI-2 paper, section 4), from stored results."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import polars as pl

from playtest.insight.models import Summary
from playtest.insight.scope import Scope
from playtest.insight.tables.results import IS_TASK, levels
from playtest.rules.tasks.success import ambiguous, grouped
from playtest.rules.text import persons


def pair_attempts(counted: pl.DataFrame, scope: Scope) -> pl.DataFrame:
    """LEVEL and ATTEMPT of each pair that a person viewed long enough, with `solved_at`.

    `counted` are rows of `acceptance.counted_people`. A pair is a test input with its solution; the view of
    it counts by the same seconds as that of a task. `solved_at` is the submission that solved it, from 1, or
    null.
    """
    found = levels(counted.filter(IS_TASK), scope).filter(pl.col("seconds") > pl.col("view_seconds"))
    return found.with_columns(solved_at=pl.when("completed").then(pl.col("game_overs") + 1))


@dataclass(frozen=True)
class Ambiguous:
    """A pair that may have two answers: `people` agree on a wrong output, and `solvers` solved it."""

    pair: int
    people: int
    solvers: int

    @property
    def sentence(self) -> str:
        return (
            f"Test pair {self.pair} may have two answers: {self.people} people agree on a wrong output, and "
            f"{persons(self.solvers)} solved it."
        )


def ambiguous_pairs(counted: pl.DataFrame, scope: Scope) -> dict[int, tuple[Ambiguous, ...]]:
    """By version the pairs with a wrong output that as many people agree on as solved them.

    `counted` are rows of `acceptance.counted_people`. Only submissions before an exclusion are read.
    """
    tasks = counted.filter(IS_TASK)
    if tasks.is_empty():
        return {}
    wrong, right = _submitted(tasks, scope)
    found: defaultdict[int, list[Ambiguous]] = defaultdict(list)
    for (version, pair), submitted in sorted(wrong.items()):
        groups, solvers = grouped(submitted), len(right.get((version, pair), ()))
        if ambiguous(groups, solvers):
            found[version].append(Ambiguous(pair, groups[0].people, solvers))
    return {version: tuple(pairs) for version, pairs in found.items()}


type _ByPair[T] = Mapping[tuple[int, int], T]


def _submitted(
    tasks: pl.DataFrame, scope: Scope
) -> tuple[_ByPair[list[tuple[str, list[bytes], int]]], _ByPair[set[str]]]:
    """Wrong submissions (person, digest, attempt), and who solved it, by version and pair."""
    pairs = pair_attempts(tasks, scope)
    wrong: defaultdict[tuple[int, int], list[tuple[str, list[bytes], int]]] = defaultdict(list)
    viewed = set(pairs.select("attempt", "level").iter_rows())
    for attempt, person, version, pair, right, digest in _rows(tasks, scope):
        if not right and (attempt, pair) in viewed:
            wrong[version, pair].append((person, [bytes.fromhex(digest)], attempt))
    solved: defaultdict[tuple[int, int], set[str]] = defaultdict(set)
    done = pairs.filter("completed")
    for version, pair, person in done.select("version", "level", "participant").iter_rows():
        solved[version, pair].add(person)
    return wrong, solved


def _rows(tasks: pl.DataFrame, scope: Scope) -> Iterator[tuple[int, str, int, int, bool, str]]:
    known = {
        attempt: (person, version, None if scope.with_excluded else cut)
        for attempt, person, version, cut in tasks.select(
            "attempt", "participant", "version", "excluded_from"
        ).iter_rows()
    }
    stored = Summary.objects.filter(submitted__isnull=False, attempt__in=scope.attempts.values("pk"))
    for attempt, submitted in stored.values_list("attempt", "submitted").order_by("attempt"):
        if attempt not in known:
            continue
        person, version, cut = known[attempt]
        for seq, pair, right, digest in submitted or ():
            if cut is None or seq < cut:
                yield attempt, person, version, pair, right, digest
