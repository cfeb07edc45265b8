"""The page of an environment: drop-off, counted attempts and links."""

import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

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
def designer() -> Client:
    return signed_in(Role.DESIGNER)


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


@pytest.fixture
def six_people(study: Study) -> None:
    """One solved it, four ended on level 2 (gave up, timed out, fault), one plays level 3."""
    plays(study, WALK, Outcome.COMPLETED)
    plays(study, WALK[:4])
    plays(study, WALK[:3])
    plays(study, WALK[:5], Outcome.TIMED_OUT)
    plays(study, WALK[:5], Outcome.FAULT, fault_code="bad_frame", fault_message="It drew no frame.")
    plays(study, WALK[:7], None)


@pytest.mark.usefixtures("six_people")
def test_the_heading_names_the_worst_level_and_the_funnel_counts_outcomes(designer: Client) -> None:
    assert heading(designer) == "Level 2 loses 3 of 6 people"
    assert funnel(designer) == {
        (1, "completed"): 6,
        (2, "completed"): 2, (2, "gave_up"): 2, (2, "timed_out"): 1, (2, "fault"): 1,
        (3, "completed"): 1, (3, "open"): 1,
        (4, "completed"): 1, (5, "completed"): 1, (6, "completed"): 1,
    }  # fmt: skip
    page_text = text(designer)
    assert (
        "Level 2 loses 3 of 6 (50 %); level 1 loses 0 of 6 and level 3 0 of 2. Watch the replays" in page_text
    )
    assert "gave up on level 2" in page_text


@pytest.mark.usefixtures("six_people")
def test_every_bar_and_number_links_to_exactly_its_attempts(designer: Client) -> None:
    bars = rows(designer, "funnel")
    assert len(bars) == 10
    for bar in bars:
        assert designer.get(bar["href"]).context["page"].paginator.count == bar["people"], bar
    page = designer.get(PAGE).content.decode()
    counts = re.findall(r'data-value="(\d+)"><a href="(/staff/[^"]+\?[^"]+)">', page)
    assert len(counts) == len(bars) + 6 + 6 + 1
    for number, address in counts:
        assert designer.get(unescape(address)).context["page"].paginator.count == int(number), address


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
    names = ("funnel", "survival-actions", "survival-time", "actions", "progression", "time", "dwell-1")
    before = {name: rows(designer, name, version=old.digest) for name in names}
    new = Version.objects.get(pk=old.pk)
    new.pk, new.digest = None, "f" * 64
    new.save()
    new.environment.current = new
    new.environment.save()
    assert heading(designer) == "Nobody has played this version of wk01 yet"
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
    assert all(f'id="environment-{part}"' in now for part in ("heading", "levels", "watch"))
    rehearsal = make.study(rehearsal=True)
    assert "live" not in designer.get(PAGE, {"study": rehearsal.pk}).content.decode()


def test_a_persons_score_is_against_the_baseline_of_everyone_else(designer: Client, study: Study) -> None:
    make.play(make.session(study), WALK, Outcome.COMPLETED)
    make.play(make.session(study), [2, 2, 2, *WALK[:3]])
    labels = [row["label"].split(", ")[1:] for row in rows(designer, "progression")]
    # Whoever has nobody to be compared with on a completed level has no score; of six actions against three a
    # quarter is left, for one of the 21 weights.
    assert {tuple(label) for label in labels} == {(), ("1 %",)}
    make.play(make.session(study), [2, *WALK], Outcome.COMPLETED)
    labels = [row["label"].split(", ")[1:] for row in rows(designer, "progression")]
    # Level 1's baseline is 6 for the first (of 4 and 6) and for the last (of 3 and 6): 115 there, 100 in all.
    assert {tuple(label) for label in labels} == {("100 %",), ("2 %",)}


def test_numbers_have_no_links_without_the_right_to_watch_replays(study: Study) -> None:
    plays(study, WALK[:4])
    engineer = signed_in(Role.ENGINEER)
    for address in (PAGE, f"{PAGE}levels/2/", f"{PAGE}versions/"):
        page = engineer.get(address).content.decode()
        assert "/staff/attempts/" not in page
    assert all(row["href"] is None for row in rows(engineer, "funnel"))
    assert signed_in(Role.PROCTOR).get(PAGE).status_code == 403


@pytest.mark.usefixtures("six_people")
def test_a_levels_page_lists_people_and_their_outcomes(designer: Client) -> None:
    page_text = text(designer, f"{PAGE}levels/2/")
    assert "Level 2 loses 3 of 6 people" in page_text
    assert re.findall(r"P-\w+ (gave up|timed out|environment fault|completed) \d", page_text) == [
        "gave up", "gave up", "timed out", "environment fault", "completed", "completed",
    ]  # fmt: skip
    assert designer.get(f"{PAGE}levels/7/").status_code == 404


@pytest.mark.parametrize(
    "address",
    ["/staff/environments/none/", f"{PAGE}?version=none", f"{PAGE}?study=999", f"{PAGE}figures/none.json",
     f"{PAGE}figures/dwell-9.json", f"{PAGE}figures/funnel.xml", f"{PAGE}levels/9.png"],
)  # fmt: skip
def test_unknown_levels_and_figures_are_not_found(designer: Client, study: Study, address: str) -> None:
    assert designer.get(address).status_code == 404


@pytest.mark.usefixtures("six_people")
def test_the_number_of_queries_does_not_grow_with_the_attempts(
    designer: Client, study: Study, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(6):
        plays(study, WALK[:4])
    designer.get(PAGE)  # brings the results up to date
    with django_assert_max_num_queries(33):
        designer.get(PAGE)


def test_people_who_left_at_once_are_a_segment_and_not_in_the_heading(designer: Client, study: Study) -> None:
    """Nine actions in eighteen seconds are no reason to redesign level 1."""
    for _ in range(3):
        make.play(make.session(study), [2] * 9)
    make.play(make.session(study), [*WALK[:3], 2], Outcome.CONCLUDED)
    assert heading(designer) == "All 4 people left at once"
    for _ in range(2):
        plays(study, WALK[:4])
    plays(study, WALK, Outcome.COMPLETED)
    assert heading(designer) == "Level 2 loses 2 of 3 people; 4 left at once"
    assert funnel(designer) == {
        (1, "completed"): 4, (1, "left_at_once"): 3,
        (2, "completed"): 1, (2, "left_at_once"): 1, (2, "gave_up"): 2,
        **{(level, "completed"): 1 for level in (3, 4, 5, 6)},
    }  # fmt: skip
    for bar in rows(designer, "funnel"):
        if bar["people"]:
            assert designer.get(bar["href"]).context["page"].paginator.count == bar["people"], bar
    assert "Level 2 loses 2 of 3 people; 1 left at once" in text(designer, f"{PAGE}levels/2/")
    assert "left at once on level 1" in text(designer)


def test_a_person_idle_until_the_limit_is_called_idle_and_not_timed_out(
    designer: Client, study: Study
) -> None:
    idle = plays(study, WALK[:3], None, minutes_ago=40)
    assert idle.first_frame_at is not None
    end_attempt(idle.pk, Outcome.TIMED_OUT, idle.first_frame_at + timedelta(minutes=30))
    plays(study, WALK[:4], Outcome.TIMED_OUT)
    page_text = text(designer)
    assert "idle until time ran out; last action at 1:08" in page_text
    assert page_text.count("timed out on level 2") == 1
    reviewer = signed_in(Role.RESEARCHER)
    for address in ("/staff/attempts/", f"/staff/attempts/{idle.pk}/"):
        assert "idle until time ran out; last action at 1:08" in text(reviewer, address)
