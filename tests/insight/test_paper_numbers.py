"""Every number of the page of a study's static tasks equals a naive recomputation from the journal."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from playtest.people.roles import Role
from playtest.play.models import Study
from tests.insight import paper_world
from tests.insight.paper_world import QUESTIONS, study_of_tasks
from tests.naive_paper import Counted, Person, Value, counted, numbers, persons, shares
from tests.naive_ranks import holm, kruskal_wallis, spearman
from tests.naive_tasks import middle
from tests.remembered import remembered
from tests.staff import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@remembered
def everybody() -> tuple[int, dict[int, int]]:
    """The study, and what is excluded of it."""
    study = study_of_tasks()
    cut = paper_world.excluded(study)
    paper_world.reviewed(study)
    return study.pk, cut


@pytest.fixture
def found() -> Counted:
    pk, cut = everybody()
    return counted(Study.objects.get(pk=pk), cut)


def rows(study: Study, name: str, **query: str) -> list[dict[str, Any]]:
    """A table or figure of the page as its file has it."""
    client: Client = signed_in(Role.RESEARCHER)
    answer = client.get(reverse("insight:study-tasks-figure", args=[study.pk, name, "json"]), query)
    assert answer.status_code == 200, answer.content
    found: list[dict[str, Any]] = answer.json()["rows"]
    return found


def said(study: Study, **query: str) -> dict[str, tuple[Value, int | None]]:
    return {row["name"]: (row["value"], row["n"]) for row in rows(study, "numbers", **query)}


def same(
    found: Mapping[str, tuple[Value, int | None]], naive: Mapping[str, tuple[Value, int | None]]
) -> None:
    assert list(found) == [name for name in found if name in naive]
    assert set(found) == set(naive)
    for name, (value, n) in naive.items():
        expected = None if value is None else pytest.approx(value, abs=1e-6)
        assert (name, *found[name]) == (name, expected, n)


def test_every_number_equals_a_naive_recomputation(found: Counted) -> None:
    naive = numbers(found)
    same(said(found.study), naive)
    assert all(value is not None for value, _ in naive.values()), "the world leaves no number out"
    assert min(value for value, _ in naive.values() if value is not None) > 0, "each of them says something"


def test_with_what_is_excluded_every_number_equals_its_recomputation(found: Counted) -> None:
    everything = counted(found.study, {})
    same(said(found.study, excluded="with"), numbers(everything))
    assert numbers(everything)["people"] > numbers(found)["people"]


@pytest.mark.parametrize("people", [0, 2])
def test_few_people_have_numbers_without_a_mean_of_nothing(people: int) -> None:
    study = study_of_tasks(people)
    naive = numbers(counted(study, {}))
    same(said(study), naive)
    assert naive["people"] == (people, None)
    assert naive["median_minutes"][0] is None or people
    assert naive["speed_and_accuracy"][0] is None
    page = signed_in(Role.RESEARCHER).get(reverse("insight:study-tasks", args=[study.pk]))
    assert page.status_code == 200
    heading = "Nobody has attempted a test pair yet" if not people else " at test pairs solved them"
    assert heading in page.content.decode()


def test_a_view_of_five_seconds_is_no_attempt_and_a_longer_one_is(found: Counted) -> None:
    tried = {(one.person, one.task) for one in found.pairs()}
    labels = [session.participant.label for session in found.study.sessions.order_by("pk")]
    assert (labels[2], "paper-3") not in tried, "5.0 s exactly"
    assert (labels[2], "paper-4") in tried, "5.001 s"
    assert (labels[11], "paper-4", 2) not in {(one.person, one.task, one.number) for one in found.pairs()}, (
        "shown for 71 s, of which the task was set aside for 68"
    )
    assert labels[7] not in {one.person for one in found.pairs() if one.task == "paper-2"}


def test_every_pair_task_and_person_has_its_row(found: Counted) -> None:
    by_pair, by_task, people, of_pairs = shares(found)
    pairs, tasks, judged = found.pairs(), found.tasks(), found.judged()
    assert {
        (row["label"], row["pair"]): (row["people"], row["solved"], row["first"], _rounded(row["percent"]),
                                      _rounded(row["minutes"]))
        for row in rows(found.study, "pairs")
    } == {
        key: (
            len(group), sum(group),
            sum(one.solved_at == 1 for one in judged.pairs() if (one.task, one.number) == key),
            _rounded(100 * sum(group) / len(group)),
            _rounded(middle([one.minutes for one in pairs if (one.task, one.number) == key])),
        )
        for key, group in by_pair.items()
    }  # fmt: skip
    for row in rows(found.study, "tasks"):
        own = [one for one in tasks if one.task == row["label"]]
        times = [one.minutes for one in own if one.minutes is not None]
        rated = [one for one in judged.tasks() if one.task == row["label"]]
        assert (row["people"], row["solved"]) == (len(rated), sum(one.solved for one in rated))
        assert row["pairs"] == own[0].pairs
        assert row["partly"] == sum(one.solved_pairs > 0 for one in own)
        assert row["accepted"] == (row["partly"] >= found.study.protocol.acceptance.solvers)
        partial = sum(one.solved_pairs / one.pairs for one in rated) / len(rated)
        assert row["partial"] == pytest.approx(100 * partial)
        assert _rounded(row["minutes"]) == _rounded(middle(times))
    assert {row["label"] for row in rows(found.study, "tasks")} == set(by_task)
    shown = {row["label"]: row for row in rows(found.study, "people")}
    assert set(shown) == set(people)
    for person in persons(found):
        row, own_pairs = shown[person.label], of_pairs.get(person.label, [])
        assert (row["tasks"], row["solved"]) == (len(people[person.label]), sum(people[person.label]))
        assert (row["pairs"], row["solved_pairs"]) == (len(own_pairs), sum(own_pairs))
        assert _rounded(row["percent"]) == _rounded(100 * person.share)
        assert _rounded(row["speed"]) == _rounded(person.speed)


def test_every_bar_and_dot_equals_its_recomputation(found: Counted) -> None:
    pairs = found.pairs()
    expected: dict[tuple[float, str], int] = {}
    for one in pairs:
        key = (min(int(one.minutes), 15), "solved" if one.solved_at else "not solved")
        expected[key] = expected.get(key, 0) + 1
    assert {(row["low"], row["group"]): row["people"] for row in rows(found.study, "time")} == expected
    dots = {row["label"]: (_rounded(row["x"]), _rounded(row["y"])) for row in rows(found.study, "speed")}
    assert dots == {
        one.label: (_rounded(one.speed), _rounded(100 * one.share))
        for one in persons(found)
        if one.speed is not None
    }


def test_answers_are_tested_against_accuracy_and_speed_and_corrected_together(found: Counted) -> None:
    given = answers(found)
    people = persons(found)
    naive = [
        test(given, known)
        for known in ([(one, one.share) for one in people], [(one, one.speed) for one in people])
        for test in (by_age, by_skill)
    ]
    corrected = holm([p for _, p in naive])
    found_rows = rows(found.study, "tests")
    order = [("age", "accuracy"), ("skill", "accuracy"), ("age", "speed"), ("skill", "speed")]
    shown = {(row["question"], row["performance"]): row for row in found_rows}
    assert set(shown) == set(order)
    for key, (statistic, p), after in zip(order, naive, corrected, strict=True):
        assert shown[key]["statistic"] == pytest.approx(statistic, abs=1e-9)
        assert shown[key]["p"] == pytest.approx(p, abs=1e-6)
        assert shown[key]["corrected"] == pytest.approx(after, abs=1e-6)
    groups = shown["age", "accuracy"]
    assert groups["effect"] == pytest.approx(groups["statistic"] / (groups["people"] - 1))


def answers(found: Counted) -> dict[str, dict[str, Any]]:
    sessions = found.study.sessions.select_related("participant", "survey")
    return {one.participant.label: one.survey.answers for one in sessions if one.survey}


def by_age(given: Mapping[str, Any], known: Sequence[tuple[Person, float | None]]) -> tuple[float, float]:
    """The groups of five people and more; here all who were asked and said young or old."""
    groups: dict[str, list[float]] = {name: [] for name, _ in QUESTIONS[0].choices}
    for person, value in known:
        if (name := given[person.label].get("age")) and value is not None:
            groups[name].append(value)
    test = kruskal_wallis([group for group in groups.values() if len(group) >= 5])
    assert test is not None
    return test


def by_skill(given: Mapping[str, Any], known: Sequence[tuple[Person, float | None]]) -> tuple[float, float]:
    test = spearman(
        [
            (float(given[person.label]["skill"]), value)
            for person, value in known
            if "skill" in given[person.label] and value is not None
        ]
    )
    assert test is not None
    return test


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)


def test_every_bar_leads_to_what_it_counts(found: Counted) -> None:
    client = signed_in(Role.RESEARCHER)
    for row in rows(found.study, "time"):
        page = client.get(row["href"])
        assert page.context["page"].paginator.count == row["people"], row["href"]
        assert len(page.context["table"].rows) == row["people"]
    first = rows(found.study, "time")[0]
    listed = client.get(first["href"]).context["table"].rows
    assert all(str(row[-1]).startswith("/staff/attempts/") for row in listed)
