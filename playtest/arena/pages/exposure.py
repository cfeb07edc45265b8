"""The page of exposure: what was told and seen of each set, and by whom."""

from operator import attrgetter

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from playtest.arena.runs import exposure as exposed
from playtest.arena.runs.exposure import AccountSeen, accounts_seen
from playtest.arena.runs.keys import Seen, seen
from playtest.people.access import StaffRequest, requires
from playtest.people.downloads import csv_attachment
from playtest.people.roles import Right
from playtest.rules.custody import PUBLIC
from playtest.rules.results import undo_text

MOST_ROWS = 100
"""How many disclosed scores and sightings the page lists; the files have all."""
_ENVIRONMENTS_A_PAGE = 20
SCORES_OF_PREDECESSOR = "10,000"
"""Scores that were disclosed over the hidden tasks of ARC-AGI-1, as ARC-AGI-2, section 2, estimates."""


@require_safe
@requires(Right.READ_BOARDS)
def exposure(request: StaffRequest) -> HttpResponse:
    """Every disclosed score and everybody who saw an environment; `environment`: the accounts of that one."""
    environments = exposed.environments()
    sets = exposed.sets(environments)
    scores, files = exposed.scores(), exposed.scored_files()
    code = request.GET.get("environment")
    chosen = next((one for one in environments if one.environment.code == code), None)
    sightings = chosen.sightings if chosen else accounts_seen()
    context = {
        "sets": sets,
        "environments": environments,
        "page": Paginator(environments, _ENVIRONMENTS_A_PAGE).get_page(request.GET.get("page")),
        "chosen": chosen,
        "sightings": sightings[:MOST_ROWS],
        "sighting_count": len(sightings),
        "scores": scores[:MOST_ROWS],
        "scorecard_count": scores.count(),
        "files": files[:MOST_ROWS],
        "file_count": len(files),
        "score_count": sum(one.scores for one in sets),
        "held_out_scores": sum(one.scores for one in sets if one.release_set != PUBLIC),
        "most_rows": MOST_ROWS,
        "of_predecessor": SCORES_OF_PREDECESSOR,
        "may_open_keys": request.user.may(Right.MANAGE_KEYS),
        "may_watch": request.user.may(Right.WATCH_ATTEMPTS),
    }
    return render(request, "arena/exposure.html", context)


@require_safe
@requires(Right.READ_BOARDS)
def scores_file(request: StaffRequest) -> HttpResponse:
    """Every disclosed score and every scored file of answers as CSV."""
    of_card = attrgetter("release_set", "environments", "card.card_id", "card.key.name", "card.key.hint")
    cards = [(one.at.isoformat(), *of_card(one), None, None) for one in exposed.scores()]
    files = [
        (file.imported_at.isoformat(), file.release_set, tasks, None, None, None, file.pk, file.program)
        for file, tasks in exposed.scored_files()
    ]
    columns = "at set environments card_id key hint submission_file program"
    return csv_attachment("disclosed-scores.csv", columns.split(), [*cards, *files])


@require_safe
@requires(Right.READ_BOARDS)
def keys_file(request: StaffRequest) -> HttpResponse:
    """Every key that saw an environment, in which set, as CSV."""
    of_key = attrgetter("environment.code", "release_set", "environment.release_set", "key.name", "key.hint")
    of_actions = undo_text(undo_counts=True)
    rows = ((*of_key(one), one.runs, one.actions, of_actions, *_moments(one)) for one in seen())
    columns = "environment set_then set_now key hint runs actions of_actions first_at last_at"
    return csv_attachment("keys-that-saw-environments.csv", columns.split(), rows)


@require_safe
@requires(Right.READ_BOARDS)
def accounts_file(request: StaffRequest) -> HttpResponse:
    """Every account that saw an environment, how and when, as CSV."""
    of_account = attrgetter("environment.code", "environment.release_set", "account.name")
    rows = (
        (
            *of_account(one),
            "staff" if one.account.is_staff else "other",
            one.kind.value,
            one.days,
            *_moments(one),
        )
        for one in accounts_seen()
    )
    columns = "environment set_now account account_kind how days first_at last_at"
    return csv_attachment("accounts-that-saw-environments.csv", columns.split(), rows)


def _moments(one: Seen | AccountSeen) -> tuple[str, str]:
    return one.first_at.isoformat(), one.last_at.isoformat()
