"""The page of a study: heading, figures, links and exclusions."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play.clock import now
from playtest.play.models import Event, EventKind, InputKind, Session, Study
from playtest.play.sessions.services import create_session
from playtest.review.models import DecisionKind
from playtest.rules.attempt import Outcome
from tests import make
from tests.live.games import WALK
from tests.review import tampering
from tests.review.cases import settled
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

SOLVES = [*[2] * 14, *WALK]


@pytest.fixture
def study() -> Study:
    return make.study(name="Spring", consent_text="You may stop at any time.")


def page(client: Client, study: Study, **query: str) -> str:
    answer = client.get(reverse("insight:study", args=[study.pk]), query)
    assert answer.status_code == 200
    return answer.content.decode()


def heading(html: str) -> str:
    found = re.search("<h1>(.*?)</h1>", html)
    assert found is not None
    return found[1]


def test_the_heading_counts_the_results_and_exclusions_can_be_included(study: Study) -> None:
    make.play(make.session(study), SOLVES, Outcome.COMPLETED, seconds_an_action=30)
    out = make.play(make.session(study), [2] * 32, seconds_an_action=30)
    settled(out.session, staff(Role.LEAD), DecisionKind.EXCLUDE_SESSION, "did_not_try")
    client = signed_in(Role.RESEARCHER)
    html = page(client, study)
    assert heading(html) == "1 person, 1 attempt"
    assert "1 excluded attempt is not counted." in html
    everyone = page(client, study, excluded="with")
    assert heading(everyone) == "2 people, 2 attempts"
    assert "Excluded results are counted:" in everyone
    assert "excluded=with" in re.findall('data-source="([^"]*)"', everyone)[0]
    figure = reverse("insight:study-figure", args=[study.pk, "success", "json"])
    for query, people in (({}, 1), ({"excluded": "with"}, 2)):
        (row,) = client.get(figure, query).json()["rows"]
        assert row["people"] == people


def test_people_are_counted_by_the_language_of_their_pages(study: Study) -> None:
    for language in ("en", "ar", "ar"):
        session = make.session(study)
        Session.objects.filter(pk=session.pk).update(language=language)
    create_session(study, new_participant(), None, language="es")
    text = " ".join(page(signed_in(Role.RESEARCHER), study).split())
    assert (
        "in all sessions with consent: Arabic 2 people in 2 sessions, English 1 person in 1 session." in text
    )


def test_figures_link_to_their_attempts(study: Study) -> None:
    attempt = make.play(make.session(study), SOLVES, Outcome.COMPLETED, seconds_an_action=30)
    cut_short = make.play(make.session(study), [2] * 32, Outcome.SESSION_OVER, seconds_an_action=30)
    client = signed_in(Role.RESEARCHER)
    found = {}
    for name in ("success", "time", "efficiency", "people"):
        answer = client.get(reverse("insight:study-figure", args=[study.pk, name, "json"])).json()
        assert all(client.get(row["href"]).status_code == 200 for row in answer["rows"])
        found[name] = answer["rows"][0]
    replay = reverse("review:attempt", args=[attempt.pk])
    listed = client.get(found["success"]["href"]).content.decode()
    assert replay in listed
    assert reverse("review:attempt", args=[cut_short.pk]) not in listed
    assert (found["time"]["low"], found["time"]["high"], found["time"]["group"]) == (16, 18, "solved")
    assert f'"{replay}"' in client.get(found["time"]["href"]).content.decode()
    assert f'"{replay}#level=6"' in client.get(found["efficiency"]["href"]).content.decode()
    assert found["people"]["href"] == reverse("review:case", args=[attempt.session_id])
    assert (found["people"]["x"], found["people"]["y"]) == (1 / 16, 100)
    assert found["people"]["pace"] == 30
    for name, counted in (("time", "attempts"), ("efficiency", "completions"), ("success", "attempts")):
        file = client.get(reverse("insight:study-figure", args=[study.pk, name, "csv"]))
        header = file.getvalue().decode("utf-8-sig").splitlines()[0].split(",")
        assert (counted in header, "people" in header) == (True, False), name


def test_links_to_replays_and_forms_require_the_right(study: Study) -> None:
    make.play(make.session(study), SOLVES, Outcome.COMPLETED)
    html = page(signed_in(Role.ENGINEER), study)
    assert not re.search("/staff/(attempts|review)/", html)
    assert reverse("play:study-edit", args=[study.pk]) not in html
    designer = page(signed_in(Role.DESIGNER), study)
    assert "/staff/attempts/" in designer
    assert "/staff/review/" not in designer


def test_a_rehearsals_page_says_that_it_is_not_a_result(study: Study) -> None:
    client = signed_in(Role.LEAD)
    assert "rehearsal, not a result" not in page(client, study)
    study.rehearsal = True
    study.save()
    assert "This is a rehearsal, not a result." in page(client, study)


def test_the_page_polls_while_sessions_run(study: Study) -> None:
    session = make.session(study)
    client = signed_in(Role.LEAD)
    html = page(client, study)
    now = reverse("insight:study-now", args=[study.pk])
    assert f'<live-parts data-source="{now}"' in html
    assert heading(html) == "0 people, 0 attempts"
    make.play(session, SOLVES, Outcome.COMPLETED)
    part = client.get(now).content.decode()
    assert heading(part).startswith("1 person, 1 attempt")
    session.ended_at, session.end_reason = session.checked_in_at, "time_over"
    session.save()
    assert "<live-parts" not in page(client, study)


def test_the_page_shows_the_counting_rule_and_the_consent_text(study: Study) -> None:
    html = page(signed_in(Role.LEAD), study)
    assert "more than 30 actions and less than 30 minutes of interaction" in html
    assert "Only baselines use the upper median" in html
    assert "You may stop at any time." in html


@pytest.mark.parametrize(
    "path", ["figures/none.json", "figures/time.xml", "figures/none/1/", "figures/success/1/"]
)
def test_unknown_figures_and_files_of_a_study_are_not_found(study: Study, path: str) -> None:
    address = reverse("insight:study", args=[study.pk]) + path
    assert signed_in(Role.LEAD).get(address).status_code == 404


def test_more_people_and_environments_need_no_more_queries(study: Study) -> None:
    client = signed_in(Role.RESEARCHER)  # is shown no troubles, which are kept for seconds
    addresses = [reverse("insight:study", args=[study.pk]), reverse("insight:portfolio")]
    make.play(make.session(study), [0] * 31)
    few = [queries(client, address) for address in addresses]
    study.pool.add(make.environment("ck01"))
    for _ in range(3):
        session = make.session(study)
        make.play(session, [0] * 31)
        make.play(session, [0] * 31)
    assert [queries(client, address) for address in addresses] == few


def queries(client: Client, address: str) -> int:
    """Returns the number of queries of a page whose summaries are up to date."""
    client.get(address)
    with CaptureQueriesContext(connection) as captured:
        client.get(address)
    return len(captured)


def test_the_page_says_how_fast_stations_painted_and_which_levels_begin_with_repeats(study: Study) -> None:
    session = make.session(study)
    attempt = make.play(session, SOLVES, Outcome.COMPLETED, seconds_an_action=30)
    opened = attempt.entries.get(seq=0).server_time
    early = opened + timedelta(seconds=0.3)
    tampering.set_entry(attempt, 1, input_kind=InputKind.KEY_REPEAT, server_time=early)
    for seq in range(2, len(SOLVES) + 1):
        tampering.set_entry(attempt, seq, previous_paint_ms=30)
    Event.objects.create(
        session=session, attempt=attempt, kind=EventKind.PAINTED, server_time=now(),
        details={"seq": len(SOLVES), "paint_ms": 250},
    )  # fmt: skip
    client = signed_in(Role.RESEARCHER)
    figure = client.get(reverse("insight:study-figure", args=[study.pk, "lag", "json"])).json()
    presses = len(SOLVES)
    assert f"30 ms in the median, 95\u00a0% within 30 ms (n = {presses} presses, 0 queued)" in figure["title"]
    caption = figure["caption"].replace("\u00a0", " ")
    assert f"Slowest stations of 1: 1 (30 ms, 95 % within 30 ms, n = {presses})" in caption
    assert [(row["low"], row["people"]) for row in figure["rows"]] == [(20, presses - 1), (240, 1)]
    replay = reverse("review:attempt", args=[attempt.pk])
    html = page(client, study)
    assert "repeats of a held key within 0.5 s of the level's start: 1 level result of 1 attempt." in html
    assert f'Replays: <a href="{replay}">{attempt.pk}</a>' in html


def test_the_lag_of_a_study_is_drawn_where_only_newer_attempts_say_what_was_queued(study: Study) -> None:
    make.play(make.session(study), [2] * 120)
    attempt = make.play(make.session(study), [2] * 40)
    tampering.set_entry(attempt, 2, queued_ms=15)
    address = reverse("insight:study-figure", args=[study.pk, "lag", "json"])
    assert "(n = 158 presses, 1 queued)" in signed_in(Role.RESEARCHER).get(address).json()["title"]
