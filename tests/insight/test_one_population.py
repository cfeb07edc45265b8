"""Every page of results counts the people that its scope line names, also those who are under review."""

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from playtest.insight.scope import Scope
from playtest.insight.tables.acceptance import evidence
from playtest.people.roles import Role
from playtest.play.clock import now
from playtest.play.models import Attempt, Study
from playtest.review.models import DecisionKind, Flag, Strength
from playtest.rules.attempt import Outcome
from playtest.rules.effort.evidence import Rule
from playtest.rules.effort.thresholds import RULE_VERSION
from tests import make
from tests.insight.up_to_date import up_to_date, version_of
from tests.live.games import WALK
from tests.review.cases import settled
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

PAGE = "/staff/environments/wk01/"
STALL = [2] * 31


def flagged(attempt: Attempt, strength: Strength = Strength.STRONG) -> Attempt:
    """With a flag of its session that nobody has decided about; a strong one opens a review."""
    at = now()
    Flag.objects.create(
        session=attempt.session, rule=Rule.CYCLING, rule_version=RULE_VERSION, strength=strength, figures={},
        sentence="Leaves at once.", raised_at=at, judged_at=at,
    )  # fmt: skip
    return attempt


@pytest.fixture(scope="module")
def study(module_db: None) -> Study:
    return make.study(people=100)


@pytest.fixture
def reader() -> Client:
    return signed_in(Role.LEAD)


@pytest.fixture(scope="module")
def doubted(study: Study) -> list[Attempt]:
    """Two who give up on level 1 under review; eight of every other fate, one of them excluded."""

    def plays(acts: list[int], outcome: Outcome | None = Outcome.GAVE_UP) -> Attempt:
        return make.play(make.session(study), acts, outcome, minutes_ago=60)

    for _ in range(2):
        plays([*STALL, *WALK], Outcome.COMPLETED)
    plays([*STALL, *WALK[:4]], Outcome.CONCLUDED)
    plays([*STALL, *WALK[:4]], Outcome.SESSION_OVER)
    plays([*STALL, *WALK[:4]], Outcome.FAULT)
    flagged(plays([*STALL, *WALK[:7]]), Strength.NOTE)
    plays([2] * 3)
    out = plays(STALL)
    settled(out.session, staff(Role.LEAD), DecisionKind.EXCLUDE_SESSION, "did_not_try")
    return [flagged(plays([*STALL, *[2] * more])) for more in (0, 9)]


def page(client: Client, address: str = PAGE, **query: str | int) -> str:
    answer = client.get(address, query)
    assert answer.status_code == 200, address
    return answer.content.decode()


def said(client: Client, address: str = PAGE, **query: str | int) -> str:
    """The sentence in which a page says whom it counts."""
    shown = page(client, address, **query)
    sentence = r'<p class="lead population">(.*?)<span>Of actions, undo counted.</span></p>'
    (found,) = re.findall(sentence, shown, re.DOTALL)
    return unescape(found).strip()


def figure(client: Client, name: str, at: str = PAGE, **query: str | int) -> dict[str, Any]:
    answer = client.get(f"{at}figures/{name}.json", query)
    assert answer.status_code == 200, name
    found: dict[str, Any] = answer.json()
    return found


def numbers_in(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", text)]


@pytest.mark.parametrize(("query", "people", "lost"), [({}, 9, 2), ({"review": "without"}, 7, 0)])
def test_every_number_of_an_environments_page_is_of_the_people_it_names(
    reader: Client, doubted: list[Attempt], query: dict[str, str], people: int, lost: int
) -> None:
    assert said(reader, **query).startswith(f"{people} people. 2 under review")
    assert said(reader, **query).endswith("In no share: 1 left at once, 1 cut short, 1 ended by a fault.")
    bars = figure(reader, "funnel", **query)
    of_level = [bar for bar in bars["rows"] if bar["level"] == 1]
    assert numbers_in(bars["title"])[-1] == sum(bar["people"] for bar in of_level) == people
    counts = {bar["outcome"]: bar["people"] for bar in of_level}
    assert sum(bar["under_review"] for bar in bars["rows"]) == counts.get("gave_up", 0) == lost
    ends = figure(reader, "incidence-actions", **query)
    assert {row["at_risk"] for row in ends["rows"] if row["x"] == 0} == {people}
    solved, at_risk, quit_it = numbers_in(ends["title"])[:3]
    by_end = [bar for bar in bars["rows"] if bar["outcome"] in ("gave_up", "concluded", "left_at_once")]
    assert (solved, at_risk, quit_it) == (2, people, sum(bar["people"] for bar in by_end))
    html = page(reader, **query)
    ended = people - 1
    assert f"<small>{100 * (ended - lost) / ended:.0f} % of {ended}</small>" in html
    assert numbers_in(re.findall(r"<h1>(.*?)</h1>", html)[0])[:4] == ([1, 2, 8, 2] if lost else [2, 3, 1, 1])


def test_who_is_under_review_is_named_wherever_they_are_counted(
    reader: Client, doubted: list[Attempt]
) -> None:
    html = page(reader)
    assert "<h1>Level 1 loses 2 of 8 who count (2 of 2 under review)" in html
    assert html.count('<span class="tag">under review</span>') == 2
    reasons = [replay.why for replay in evidence(version_of(), Scope()).replays]
    assert reasons == [
        "Furthest without solving it: 1 action on level 3.",
        "Typical of the 2 lost on level 1: 40 actions. Under review.",
        "Quickest to quit level 1: after 31 actions. Under review.",
    ]
    without = page(reader, review="without")
    assert all(attempt.participant.label not in without for attempt in doubted)
    assert "under review" not in without.partition("<h1>")[2].partition("</h1>")[0]


def test_a_decision_ends_the_doubt(reader: Client, doubted: list[Attempt]) -> None:
    settled(doubted[0].session, staff(Role.LEAD), DecisionKind.KEEP, "tried")
    assert "1 under review" in said(reader)
    settled(doubted[1].session, staff(Role.LEAD), DecisionKind.EXCLUDE_SESSION, "did_not_try")
    assert "review" not in said(reader)


def test_the_choice_stays_in_all_links_figures_and_files(
    reader: Client, study: Study, doubted: list[Attempt]
) -> None:
    own = reverse("insight:study", args=[study.pk])
    for address in (
        PAGE,
        f"{PAGE}levels/1/",
        f"{PAGE}baseline/",
        own,
        f"{PAGE}split/",
        "/staff/environments/",
    ):
        html = page(reader, address, review="without")
        found = [unescape(one) for one in re.findall(r'(?:href|data-source)="([^"]+)"', html)]
        results = [one for one in found if "/figures/" in one or re.search(r"wk01/(levels|baseline)", one)]
        assert results, address
        assert all("review=without" in one for one in results), (address, results)
    for bar in figure(reader, "funnel", review="without")["rows"]:
        ends = reader.get(bar["href"]).context["page"].paginator.count
        assert ends == bar["people"], bar
    lists = re.findall(
        r'data-value="(\d+)"><a href="(/staff/attempts/[^"]+)">', page(reader, review="without")
    )
    for number, address in lists:
        assert reader.get(unescape(address)).context["page"].paginator.count == int(number), address
    assert figure(reader, "incidence-time", review="without")["rows"][0]["at_risk"] == 7


@pytest.mark.parametrize(("query", "people", "lost"), [({}, 6, 2), ({"review": "without"}, 4, 0)])
def test_every_number_of_a_studys_page_is_of_the_people_it_names(
    reader: Client, study: Study, doubted: list[Attempt], query: dict[str, str], people: int, lost: int
) -> None:
    at = reverse("insight:study", args=[study.pk])
    attempts = people + 1  # one was cut short, and is in no share
    assert said(reader, at, **query).startswith("2 under review")
    html = page(reader, at, **query)
    doubt = " (2 under review)" if lost else ""
    assert f"<h1>{attempts} people{doubt}, {attempts} attempts" in re.sub(r"\s+", " ", html)
    (bar,) = figure(reader, "success", at, **query)["rows"]
    assert (bar["people"], bar["under_review"]) == (people, lost)
    for name in ("time", "order"):
        assert sum(row["people"] for row in figure(reader, name, at, **query)["rows"]) == people, name
    dots = figure(reader, "people", at, **query)["rows"]
    assert sum(dot["attempts"] for dot in dots) == people
    assert sum(dot["under_review"] for dot in dots) == lost


def test_a_baseline_counts_who_is_under_review_until_somebody_decides(
    reader: Client, study: Study, doubted: list[Attempt]
) -> None:
    solver = Attempt.objects.filter(outcome=Outcome.COMPLETED).earliest("pk")
    flagged(solver)
    at = f"{PAGE}baseline/"
    up_to_date()
    assert said(reader, at).startswith(
        "9 people. 3 under review, hatched where drawn: counted, as in a baseline"
    )
    (level,) = (row for row in figure(reader, "levels", at)["rows"] if row["level"] == 6)
    (left,) = (row for row in figure(reader, "levels", at, review="without")["rows"] if row["level"] == 6)
    assert (level["completers"], left["completers"]) == (2, 1)
    ended = {row["level"]: (row["completers"], row["ended"]) for row in figure(reader, "levels", at)["rows"]}
    assert ended[1] == (6, 8)
    assert "<small>75 % of 8</small>" in page(reader)
    assert "7 of 100 counted people (3 under review)</h1>" in re.sub(r"\s+", " ", page(reader, at))
    dots = [row for row in figure(reader, "actions")["rows"] if row["group"] == "Level 6"]
    assert sorted(dot["under_review"] for dot in dots) == [False, True]
    assert "under review, which this page leaves out" in page(reader, at, review="without")
