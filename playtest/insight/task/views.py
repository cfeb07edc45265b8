"""The page of a static task in place of an environment's, its figures as data."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from playtest.insight.results.acceptance import counted_people, evidence_of
from playtest.insight.results.pairs import ambiguous_pairs
from playtest.insight.results.version import VersionResults
from playtest.insight.task.figures import pairs_figure
from playtest.insight.task.findings import TaskFindings, findings
from playtest.people.access import StaffRequest

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
    context |= {
        "found": found,
        "heading": heading(results, found),
        "tries": range(1, found.tries + 1),
        "ambiguous": flagged.get(results.version.pk, ()),
        "evidence": evidence_of(results.version, results.scope, results.attempts, results.levels),
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
    who = "1 person" if people == 1 else f"{people} people"
    pairs = len(found.pairs)
    whole = {1: "", 2: "both pairs of "}.get(pairs, f"all {pairs} pairs of ")
    return f"{found.solved} of {who} solved {whole}{code}"
