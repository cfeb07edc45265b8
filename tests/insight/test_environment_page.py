"""The page of an environment: drop-off, counted attempts and links."""

import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.utils.html import strip_tags

from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play.models import Attempt, Study
from playtest.play.sessions.attempts import end_attempt
from playtest.review.models import DecisionKind
from playtest.rules.attempt import Outcome
from playtest.studio.models import Version
from tests import make
from tests.live.games import WALK
from tests.review.cases import settled
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

PAGE = "/staff/environments/wk01/"


@pytest.fixture
def study() -> Study:
    return make.study(people=100)


STALL = [2] * 31
"""Against the wall below the first level's start: as many actions as an attempt needs."""


def plays(study: Study, actions: list[int], outcome: Outcome | None = Outcome.GAVE_UP, **how: Any) -> Attempt:
    """Plays an attempt that counts by the protocol and ends with these actions."""
    return make.play(make.session(study), [*STALL, *actions], outcome, **how)


def text(client: Client, address: str = PAGE, **query: str | int) -> str:
    """Returns the visible text of the page on one line."""
    answer = client.get(address, query)
    assert answer.status_code == 200
    return re.sub(
        r"\s+",
        " ",
        unescape(re.sub(r"<(script|svg)\b.*?</\1>|<[^>]+>", " ", answer.content.decode(), flags=re.S)),
    )


def heading(client: Client, **query: str | int) -> str:
    page = client.get(PAGE, query).content.decode()
    (found,) = re.findall(r"<h1>(.*?)</h1>", page)
    return unescape(found)


def rows(client: Client, figure: str, **query: str | int) -> list[dict[str, Any]]:
    answer = client.get(f"{PAGE}figures/{figure}.json", query)
    assert answer.status_code == 200
    found: list[dict[str, Any]] = answer.json()["rows"]
    return found


def funnel(client: Client, **query: str | int) -> dict[tuple[int, str], int]:
    return {
        (row["level"], row["outcome"]): row["people"]
        for row in rows(client, "funnel", **query)
        if row["people"]
    }


def scores(client: Client) -> set[int | None]:
    return {row.score and round(row.score) for row in client.get(PAGE).context["attempts"]}


def test_a_bar_counts_the_attempts_of_its_list_with_any_exclusions(designer: Client, study: Study) -> None:
    included, cut, out = (plays(study, WALK[:8]) for _ in range(3))
    lead = staff(Role.LEAD)
    settled(cut.session, lead, DecisionKind.EXCLUDE_FROM, "disturbed", attempt_id=cut.pk, from_seq=36)
    settled(out.session, lead, DecisionKind.EXCLUDE_SESSION, "did_not_try")
    assert funnel(designer) == {(1, "completed"): 2, (2, "completed"): 1, (3, "gave_up"): 1}
    assert funnel(designer, excluded="with") == {(1, "completed"): 3, (2, "completed"): 3, (3, "gave_up"): 3}
    for scope in ({}, {"excluded": "with"}):
        for bar in rows(designer, "funnel", **scope):
            assert designer.get(bar["href"]).context["page"].paginator.count == bar["people"], bar
    page_text = text(designer)
    assert "1 excluded attempt is not counted" in page_text
    assert "Of 1 more attempt, only the levels before the exclusion are counted" in page_text
    assert "1 person is not shown from the level on" in page_text
    assert included.participant.label in page_text
    assert out.participant.label not in page_text
    assert out.participant.label in text(designer, excluded="with")


def test_simulated_people_and_rehearsals_are_shown_only_on_request(designer: Client, study: Study) -> None:
    rehearsal = make.study(rehearsal=True, name="Try-out")
    plays(rehearsal, WALK[:4])
    make.play(make.session(study, new_participant(simulated=True)), [*STALL, *WALK[:4]])
    assert heading(designer, study="") == "Nobody has played wk01 yet"
    assert heading(designer, study=rehearsal.pk) == "Level 2 lost the only person who tried it"
    assert "This is a rehearsal, not a result." in text(designer, study=rehearsal.pk)
    (bar,) = (bar for bar in rows(designer, "funnel", study=rehearsal.pk) if bar["outcome"] == "gave_up")
    assert designer.get(bar["href"]).context["page"].paginator.count == 1
    assert rows(designer, "funnel", study=study.pk) == []


def test_figures_of_an_older_version_do_not_change(designer: Client, study: Study) -> None:
    old = plays(study, WALK[:4]).version
    names = ("funnel", "incidence-actions", "incidence-time", "actions", "dwell-1")
    before = {name: rows(designer, name, version=old.digest) for name in names}
    new = Version.objects.get(pk=old.pk)
    new.pk, new.digest = None, "f" * 64
    new.save()
    new.environment.current = new
    new.environment.save()
    assert heading(designer) == "Nobody has played this version of wk01 yet"
    assert f'See <a href="?version={old.digest}">the 1 attempt at' in designer.get(PAGE).content.decode()
    for _ in range(2):
        plays(study, WALK, Outcome.COMPLETED)
    assert {name: rows(designer, name, version=old.digest) for name in names} == before
    assert heading(designer, version=old.digest) == "Level 2 lost the only person who tried it"
    assert heading(designer) == "All 2 people solved it"


def test_an_environment_without_attempts_explains_every_part_of_its_page(
    designer: Client, study: Study
) -> None:
    page_text = text(designer)
    assert "Nobody has played wk01 yet" in page_text
    assert "A bar for each level appears here when somebody plays" in page_text
    assert "Attempts" not in page_text.split("Nobody has played")[1]
    level = text(designer, f"{PAGE}levels/1/")
    assert "Nobody has reached level 1 yet" in level
    assert "A heat map appears here when somebody has acted on level 1" in level


def test_figures_are_live_while_a_session_of_the_scope_runs(designer: Client, study: Study) -> None:
    finished = make.session(study)
    make.play(finished, [*STALL, 4])
    assert " live data-tag=" in designer.get(PAGE).content.decode()
    now = designer.get(f"{PAGE}now/").content.decode()
    assert "Level 1 lost the only person who tried it" in now
    population = now.partition('<div id="population">')[2]
    assert strip_tags(population).split() == "1 person. Of actions, undo counted.".split()
    assert all(f'id="environment-{part}"' in now for part in ("heading", "levels", "watch"))
    rehearsal = make.study(rehearsal=True)
    assert "live" not in designer.get(PAGE, {"study": rehearsal.pk}).content.decode()


def test_a_persons_score_is_against_the_baseline_of_everyone_else(designer: Client, study: Study) -> None:
    make.play(make.session(study), WALK, Outcome.COMPLETED)
    make.play(make.session(study), [2, 2, 2, *WALK[:3]])
    # Whoever has nobody to be compared with on a completed level has no score; of six actions against three a
    # quarter is left, for one of the 21 weights.
    assert scores(designer) == {None, 1}
    make.play(make.session(study), [2, *WALK], Outcome.COMPLETED)
    # Level 1's baseline is 6 for the first (of 4 and 6) and for the last (of 3 and 6): 115 there, 100 in all.
    assert scores(designer) == {100, 2}


def test_people_who_left_at_once_are_a_segment_and_not_in_the_heading(designer: Client, study: Study) -> None:
    """Nine actions in eighteen seconds are no reason to redesign level 1."""
    for _ in range(3):
        make.play(make.session(study), [2] * 9)
    make.play(make.session(study), [*WALK[:3], 2], Outcome.CONCLUDED)
    assert heading(designer) == "All 4 people left at once"
    for _ in range(2):
        plays(study, WALK[:4])
    plays(study, WALK, Outcome.COMPLETED)
    assert heading(designer) == "Level 2 loses 2 of 3 who count; 4 left at once"
    assert funnel(designer) == {
        (1, "completed"): 4, (1, "left_at_once"): 3,
        (2, "completed"): 1, (2, "left_at_once"): 1, (2, "gave_up"): 2,
        **{(level, "completed"): 1 for level in (3, 4, 5, 6)},
    }  # fmt: skip
    for bar in rows(designer, "funnel"):
        if bar["outcome"] == "left_at_once":
            assert designer.get(bar["href"]).context["page"].paginator.count == bar["people"], bar
    assert "Level 2 loses 2 of 3 who count; 1 left at once" in text(designer, f"{PAGE}levels/2/")
    assert "left at once on level 1" in text(designer)


def test_a_person_idle_until_the_limit_is_called_idle_and_not_timed_out(
    designer: Client, study: Study
) -> None:
    idle = plays(study, WALK[:3], None, minutes_ago=40)
    assert idle.first_frame_at is not None
    end_attempt(idle.pk, Outcome.TIMED_OUT, idle.first_frame_at + timedelta(minutes=30))
    plays(study, WALK[:4], Outcome.TIMED_OUT)
    page_text = text(designer)
    assert "idle from 1:08 on" in page_text
    assert page_text.count("timed out on level 2") == 1
    reviewer = signed_in(Role.RESEARCHER)
    for address in ("/staff/attempts/", f"/staff/attempts/{idle.pk}/"):
        assert "idle from 1:08 on" in text(reviewer, address)
