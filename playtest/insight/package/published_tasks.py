"""The figures about static tasks that a package publishes; submissions are judged again by the solutions."""

from collections import defaultdict
from statistics import median
from typing import Any

from playtest.play.models import Attempt, Study
from playtest.play.sessions.reads import COUNTED, TASKS, whose
from playtest.review.queries.exclusions import exclusions
from playtest.review.task_document import edited
from playtest.rules.tasks.success import solved_at, task_score


def published_tasks(study: Study) -> dict[str, Any]:
    """Of attempts that count and of which nothing is excluded: by pair, and in all.

    Refusal: record_damaged.
    """
    attempts = _included(study)
    pairs: dict[tuple[str, str, int], list[int | None]] = defaultdict(list)
    submissions = solved_tasks = solved_pairs = 0
    for attempt in attempts:
        verdicts, tries = _verdicts(attempt), attempt.session.prescribed.tasks.tries
        score = task_score(verdicts, tries)
        submissions += sum(map(len, verdicts))
        solved_tasks += score.complete
        solved_pairs += score.solved
        for number, made in enumerate(verdicts, start=1):
            key = (attempt.environment.code, attempt.version.digest, number)
            pairs[key].append(solved_at(made, tries))
    return {
        "attempts": len(attempts),
        "people": len({attempt.participant_id for attempt in attempts}),
        "sessions": len({attempt.session_id for attempt in attempts}),
        "submissions": submissions,
        "solved_tasks": solved_tasks,
        "solved_pairs": solved_pairs,
        "pairs": [
            {
                "environment": environment,
                "version": version,
                "input": number,
                "people": len(found),
                "solved": sum(at is not None for at in found),
                "solved_at_first": sum(at == 1 for at in found),
            }
            for (environment, version, number), found in sorted(pairs.items())
        ],
        "median_seconds": round(median(attempt.seconds for attempt in attempts), 3) if attempts else None,
    }


def _included(study: Study) -> list[Attempt]:
    excluded = exclusions()
    related = "session__study", "session__protocol", "environment", "version"
    found = Attempt.objects.filter(whose(study), TASKS, COUNTED).select_related(*related).order_by("pk")
    return [
        attempt
        for attempt in found
        if attempt.session_pk not in excluded.sessions and attempt.pk not in excluded.attempts
    ]


def _verdicts(attempt: Attempt) -> list[list[bool]]:
    """Whether each submission was right, by test input."""
    found: list[list[bool]] = [[] for _ in range(attempt.version.levels)]
    for each in edited(attempt, list(attempt.entries.order_by("seq").defer("frames"))):
        if each.submitted is not None:
            found[each.submitted.input - 1].append(each.submitted.right)
    return found
