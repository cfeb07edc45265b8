"""The page of a static task and its figures."""

from collections.abc import Callable, Iterator
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from playtest.insight.figures import Figure, Row, columns, table
from playtest.insight.pages.task.findings import Person, TaskFindings, Tried, findings
from playtest.insight.tables.acceptance import counted_people, evidence_of
from playtest.insight.tables.pairs import ambiguous_pairs
from playtest.insight.tables.population import population_of
from playtest.insight.tables.version import VersionResults
from playtest.people.access import StaffRequest
from playtest.rules.inference.shares import share
from playtest.rules.text import persons


def pairs_figure(results: VersionResults) -> Figure:
    """The share of people who solved each pair, at the first submission and within all that count."""
    found = findings(results)
    rows: list[Row] = []
    for pair in found.pairs:
        if not pair.people:
            continue
        rows += [
            _bar(f"Pair {pair.number}, first try", pair.at[0], pair.people),
            _bar(f"Pair {pair.number}, within {found.tries} tries", sum(pair.at), pair.people),
        ]
    return Figure(
        name="pairs",
        kind="bars",
        title="Success by pair and try",
        caption=(
            "The share of people who viewed a pair long enough to count that solved it, with Wilson's 95 % "
            "interval: by their first submission, and by any of those that count."
        ),
        columns=columns(
            "label Pair and tries | value Solved [%] | low Lower bound [%] | high Upper bound [%] | "
            "solved Solved [people] | people Counted [people]"
        ),
        rows=rows,
        empty="Two bars for each pair appear here with the first attempt that counts.",
        options={"value_label": "% of people"},
    )


def _bar(label: str, solved: int, people: int) -> Row:
    found = share(solved, people)
    return label, 100 * found.value, 100 * found.low, 100 * found.high, solved, people


def submissions_figure(results: VersionResults) -> Figure:
    """Every submission of the people who count, for its file."""
    return table(
        "submissions",
        "Submissions",
        "attempt Attempt | participant Participant | pair Pair | number Submission | entry Entry | "
        "right Right | edits Edits before it | seconds Time before it [s] | grid Grid | href",
        [
            row
            for person in findings(results).people
            for one in person.pairs
            if one is not None
            for row in _submissions(results, person, one)
        ],
    )


def _submissions(results: VersionResults, person: Person, one: Tried) -> Iterator[Row]:
    for number, made in enumerate(one.submissions, start=1):
        grid = "/".join("".join(map(str, row)) for row in made.grid)
        yield (
            person.attempt,
            person.participant,
            one.pair,
            number,
            made.seq,
            made.right,
            made.edits,
            made.seconds,
            grid,
            results.links.moment(person.attempt, made.seq),
        )


FIGURES: dict[str, Callable[[VersionResults], Figure]] = {
    "pairs": pairs_figure,
    "submissions": submissions_figure,
}


def task_figure(results: VersionResults, name: str) -> Figure | None:
    """A figure by its name, None if a task has none."""
    return FIGURES[name](results) if name in FIGURES else None


MOST_WRONG = 12
"""So many different wrong outputs of a pair are drawn; the file of submissions has all."""


def task_page(
    request: StaffRequest, results: VersionResults, context: dict[str, Any], part: str = "task"
) -> HttpResponse:
    """Who solved which pair of a task at which try, and what they got wrong.

    `part` is "now" for that which changes while a session runs, without the page around it.
    """
    found = findings(results)
    flagged = ambiguous_pairs(counted_people(results.attempts, results.scope), results.scope)
    ambiguous = flagged.get(results.version.pk, ())
    context |= {
        "population": population_of(
            results.everyone, results.scope, lambda rows: counted_people(rows, results.scope)
        ),
        "found": found,
        "heading": heading(results, found),
        "tries": range(1, found.tries + 1),
        "ambiguous": ambiguous,
        "flagged": {one.pair for one in ambiguous},
        "evidence": evidence_of(results),
        "pairs_figure": pairs_figure(results),
        "all_attempts": results.links.attempts(),
        "view_seconds": results.scope.protocol.tasks.view_seconds,
        "most": MOST_WRONG,
        "most_wrong": f":{MOST_WRONG}",
    }
    return render(request, f"insight/task/{part}.html", context)


def heading(results: VersionResults, found: TaskFindings) -> str:
    """How many of those who tried the task solved all of it."""
    code, people = results.version.environment.code, len(found.people)
    if not people:
        return f"Nobody has tried {code} long enough to count"
    who = persons(people)
    pairs = len(found.pairs)
    whole = {1: "", 2: "both pairs of "}.get(pairs, f"all {pairs} pairs of ")
    return f"{found.solved} of {who} solved {whole}{code}"
