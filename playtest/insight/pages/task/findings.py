"""What people did on the pairs of one static task: at which try, how fast, and what they got wrong."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from statistics import median
from typing import Any

import polars as pl

from engine.tasks.grids import Grid
from engine.tasks.task import Task, task_of
from playtest.insight.compute.submissions import Made, Submission, rule_in, submissions
from playtest.insight.tables.acceptance import counted_people
from playtest.insight.tables.pairs import pair_attempts
from playtest.insight.tables.version import VersionResults, cached
from playtest.play.attempt.task_in_process import submissions_of
from playtest.play.models import Attempt, Entry, ProtocolVersion
from playtest.play.sessions.adjustments import adjustments_of_attempts
from playtest.rules import labels
from playtest.rules.adjustments import NO_ADJUSTMENTS
from playtest.rules.attempt import CUT_SHORT
from playtest.rules.inference.shares import Share, share
from playtest.rules.tasks.success import TaskScore, grouped


@dataclass(frozen=True)
class Tried:
    """One person at one pair. `solved_at` is the submission that solved it, from 1; None if none did.

    `counted` is whether they viewed it long enough. `seq` is the entry to watch: what solved it, else the
    last submission, else the last edit.
    """

    pair: int
    counted: bool
    solved_at: int | None
    submissions: tuple[Submission, ...]
    edits: int
    seconds: float
    seq: int
    href: str | None

    @property
    def sign(self) -> str:
        """In a few words: solved at which try, or how many submissions were wrong."""
        if self.solved_at:
            return f"solved at try {self.solved_at}"
        if not self.submissions:
            return "nothing submitted" if self.edits else "viewed only"
        return f"{len(self.submissions)} wrong"


@dataclass(frozen=True)
class Person:
    """One counted attempt at the task, with what was done at each pair; None where it was not shown."""

    attempt: int
    participant: str
    outcome: str
    pairs: tuple[Tried | None, ...]
    seconds: float
    exclusion: str
    under_review: bool
    href: str | None
    judged: bool
    """Whether it was not cut short: then it solved a pair or failed it."""

    @property
    def score(self) -> TaskScore:
        return TaskScore(
            sum(one is not None and one.solved_at is not None for one in self.pairs), len(self.pairs)
        )


@dataclass(frozen=True)
class Watch:
    """A submission to watch. `number` counts the participant's submissions at the pair, from 1."""

    participant: str
    number: int
    href: str | None


@dataclass(frozen=True)
class Wrong:
    """A wrong output of a pair, by how many people, and each of its submissions."""

    grid: Grid
    people: int
    submitted: tuple[Watch, ...]


@dataclass(frozen=True)
class PairFacts:
    """One pair over all people who viewed it long enough. `at` has how many solved it at each try.

    Shares, `people` and `at` are of attempts that were not cut short.
    The times and edits to the first submission are medians of those who submitted anything.
    """

    number: int
    input: Grid
    solved: Share | None
    people: int
    at: tuple[int, ...]
    first_seconds: float | None
    first_edits: float | None
    seconds: float | None
    wrong: tuple[Wrong, ...]


@dataclass(frozen=True)
class TaskFindings:
    """All of a task's page. `tries` is the most that any of its protocols allows."""

    task: Task
    tries: int
    people: tuple[Person, ...]
    pairs: tuple[PairFacts, ...]

    @property
    def solved(self) -> int:
        return sum(one.score.complete for one in self.people)


@cached
def findings(results: VersionResults) -> TaskFindings:
    """Replays the attempts of the scope at one version; those that count."""
    task = task_of(results.version.source)
    counted = counted_people(results.attempts, results.scope)
    rules = _rules(counted)
    submitted = _submitted(task, counted, results, rules)
    people = tuple(_people(results, counted, submitted, len(task.tests)))
    tries = max(
        (rules[key].tries for key in counted["protocol"].unique()), default=results.scope.protocol.tasks.tries
    )
    pairs = tuple(
        _pair(results, number, task.tests[number - 1].input, people, tries)
        for number in range(1, len(task.tests) + 1)
    )
    return TaskFindings(task, tries, people, pairs)


def _rules(counted: pl.DataFrame) -> Mapping[int, Any]:
    known = ProtocolVersion.objects.filter(pk__in=counted["protocol"].unique().to_list())
    return {pk: rule_in(document) for pk, document in known.values_list("pk", "document__tasks")}


def _submitted(
    task: Task, counted: pl.DataFrame, results: VersionResults, rules: Mapping[int, Any]
) -> dict[int, list[Submission]]:
    """The submissions of each attempt, without those from an exclusion on."""
    rows = counted.select("attempt", "protocol", "excluded_from").iter_rows()
    known = {attempt: (protocol, cut) for attempt, protocol, cut in rows}
    clocks = adjustments_of_attempts(Attempt.objects.filter(pk__in=list(known)))
    entries = Entry.objects.filter(attempt__in=list(known)).order_by("attempt", "seq")
    found = {}
    read = entries.values_list("attempt", "seq", "edit", "server_time")
    for attempt, made in groupby(read.iterator(), key=itemgetter(0)):
        protocol, cut = known[attempt]
        running = clocks.get(attempt, NO_ADJUSTMENTS).running
        all_of_it = submissions(
            task, submissions_of(rules[protocol]), (Made(*row[1:]) for row in made), running
        )
        whole = cut is None or results.scope.with_excluded
        found[attempt] = [one for one in all_of_it if whole or one.seq < cut]
    return found


def _people(
    results: VersionResults, counted: pl.DataFrame, submitted: Mapping[int, Sequence[Submission]], pairs: int
) -> Iterator[Person]:
    viewed = {
        (row["attempt"], row["level"]) for row in pair_attempts(counted, results.scope).iter_rows(named=True)
    }
    shown: defaultdict[int, dict[int, dict[str, Any]]] = defaultdict(dict)
    for row in results.levels.iter_rows(named=True):
        shown[row["attempt"]][row["level"]] = row
    for row in counted.sort("attempt", descending=True).iter_rows(named=True):
        attempt, cut = row["attempt"], row["excluded_from"]
        of_pairs: defaultdict[int, list[Submission]] = defaultdict(list)
        for one in submitted.get(attempt, ()):
            of_pairs[one.input].append(one)
        yield Person(
            attempt,
            row["participant"],
            labels.OUTCOME_LABELS.get(row["outcome"], row["outcome"]),
            tuple(
                _tried(results, level, of_pairs[number], (attempt, number) in viewed)
                if (level := shown[attempt].get(number))
                else None
                for number in range(1, pairs + 1)
            ),
            row["attempt_seconds"],
            "" if cut is None else row["why_excluded"],
            row["under_review"],
            results.links.replay(attempt, within=results.links.attempts()),
            row["outcome"] not in CUT_SHORT,
        )


def _tried(
    results: VersionResults, level: Mapping[str, Any], made: Sequence[Submission], counted: bool
) -> Tried:
    solved_at = level["game_overs"] + 1 if level["completed"] else None
    seq = level["last_seq"]
    if made:
        seq = made[solved_at - 1].seq if solved_at else made[-1].seq
    return Tried(
        level["level"],
        counted,
        solved_at,
        tuple(made),
        level["actions"],
        level["seconds"],
        seq,
        results.links.moment(level["attempt"], seq),
    )


def _pair(
    results: VersionResults, number: int, shown: Grid, people: Sequence[Person], tries: int
) -> PairFacts:
    tried = [(person, one) for person in people if (one := person.pairs[number - 1]) and one.counted]
    firsts = [one.submissions[0] for _, one in tried if one.submissions]
    solved = [one.solved_at for person, one in tried if one.solved_at and person.judged]
    judged = sum(person.judged for person, _ in tried)
    groups = grouped(
        (person.participant, made.grid, (person.participant, place, person.attempt, made.seq))
        for person, one in tried
        for place, made in enumerate(one.submissions, start=1)
        if not made.right
    )
    wrong = tuple(
        Wrong(
            tuple(bytes(row) for row in each.grid),
            each.people,
            tuple(
                Watch(who, place, results.links.moment(attempt, seq))
                for who, place, attempt, seq in each.submitted
            ),
        )
        for each in groups
    )
    return PairFacts(
        number,
        shown,
        share(len(solved), judged) if judged else None,
        judged,
        tuple(solved.count(at) for at in range(1, tries + 1)),
        median(one.seconds for one in firsts) if firsts else None,
        median(one.edits for one in firsts) if firsts else None,
        median(one.seconds for _, one in tried) if tried else None,
        wrong,
    )
