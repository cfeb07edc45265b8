"""Results can be limited to one protocol version, and pages say when they mix several."""

import pytest
from django.test import Client
from django.urls import reverse

from playtest.insight.scope import Scope
from playtest.insight.tables.results import attempts
from playtest.play.models import Attempt, Study
from playtest.play.sessions.reads import COUNTED, LEFT_AT_ONCE
from playtest.review.queries.exclusions import cannot_count
from playtest.rules.attempt import AttemptRule
from tests import make
from tests.insight.up_to_date import results_of, up_to_date

pytestmark = pytest.mark.django_db

WALL = [2] * 10
"""Ten actions: too few by the default protocol."""


@pytest.fixture
def study() -> Study:
    """Two people play ten actions each: the first by more than 30, the second by more than 3."""
    study = make.study()
    make.play(make.session(study), WALL)
    make.change(study, more_than_actions=3)
    make.play(make.session(study), WALL)
    return study


def test_an_attempt_counts_by_the_version_its_session_follows(study: Study) -> None:
    up_to_date()
    first, second = Attempt.objects.order_by("pk")
    assert list(Attempt.objects.filter(COUNTED)) == [second]
    assert list(Attempt.objects.filter(LEFT_AT_ONCE)) == [first]
    table = attempts(Scope(study))
    assert table["counted"].to_list() == [False, True]
    assert table["more_than_actions"].to_list() == [30, 3]
    assert not Attempt.objects.filter(cannot_count()).exists()


@pytest.mark.parametrize("seconds", [599, 600, 601])
def test_sql_and_python_agree_at_the_edges(seconds: int) -> None:
    rule = AttemptRule(more_than_actions=4, less_than_seconds=600)
    study = make.study(more_than_actions=4, less_than_seconds=600, soft_seconds=7200, hard_seconds=7200)
    for actions in (4, 5):
        session = make.session(study)
        attempt = make.play(session, [2] * actions, seconds_an_action=seconds / actions)
        assert attempt.seconds == pytest.approx(seconds)
        found = Attempt.objects.filter(COUNTED, pk=attempt.pk).exists()
        assert found == rule.counts(attempt.actions, attempt.seconds) == (actions == 5 and seconds < 600)


@pytest.mark.once
def test_a_scope_can_be_one_version(study: Study, lead: Client) -> None:
    first, second = study.protocol_versions.order_by("number")
    assert results_of(study).counted.height == 1
    by_version = [attempts(Scope(study, protocol_version=one)).height for one in (first, second)]
    assert by_version == [1, 1]
    page = lead.get(f"/staff/environments/wk01/?study={study.pk}&protocol=2").content.decode()
    assert f"Real people in “{study.name}”, by version 2 of its protocol." in page
    assert f"study={study.pk}&amp;protocol=2" in page, "figures and links are of the same version"
    assert f"protocol={second.pk}" in page, "and so are the lists of attempts"


@pytest.mark.once
def test_the_list_of_attempts_can_be_of_one_version(study: Study, lead: Client) -> None:
    first, second = study.protocol_versions.order_by("number")
    rows = [
        lead.get("/staff/attempts/", {"study": study.pk, "protocol": one.pk}).context["page"].object_list
        for one in (first, second)
    ]
    assert [[attempt.session.protocol for attempt in row] for row in rows] == [[first], [second]]


@pytest.mark.once
def test_pages_say_that_they_mix_versions(study: Study, lead: Client) -> None:
    sentence = '<p class="notice">These results combine versions 1 and 2 of the protocol.'
    pages = {
        reverse("insight:study", args=[study.pk]): "?protocol=1",
        "/staff/environments/wk01/": f"?study={study.pk}&protocol=1",
        "/staff/environments/wk01/baseline/": f"?study={study.pk}&protocol=1",
        "/staff/environments/": f"?study={study.pk}&protocol=1",
    }
    for address, one_version in pages.items():
        assert sentence in lead.get(address).content.decode(), address
        assert sentence not in lead.get(address + one_version).content.decode(), address


@pytest.mark.once
def test_figures_as_data_name_the_versions_that_they_combine(study: Study, lead: Client) -> None:
    first, second = (
        {"study": study.name, "version": version.number, "digest": version.digest}
        for version in study.protocol_versions.order_by("number")
    )
    sentence = "These results combine versions 1 and 2 of the protocol."
    for address in (
        f"/staff/environments/wk01/figures/funnel.json?study={study.pk}",
        f"/staff/environments/wk01/baseline/figures/levels.json?study={study.pk}",
        reverse("insight:study", args=[study.pk]) + "figures/success.json?",
    ):
        both, one = lead.get(address), lead.get(f"{address}&protocol=2")
        assert both.json()["protocols"] == {"sentence": sentence, "versions": [first, second]}, address
        assert one.json()["protocols"] == {"sentence": "", "versions": [second]}, address
        assert both["ETag"] != one["ETag"], address


@pytest.mark.once
def test_files_of_tables_name_the_versions_in_a_header(study: Study, lead: Client) -> None:
    both, first = f"{study.pk}/1, {study.pk}/2", f"{study.pk}/1"
    of_study = reverse("insight:study", args=[study.pk])
    for address in ("/staff/environments/wk01/figures/funnel.csv", f"{of_study}figures/success.csv"):
        files = [lead.get(address, {"study": study.pk, "protocol": number}) for number in ("", "1")]
        assert [file["X-Protocol-Versions"] for file in files] == [both, first], address
        assert all("combine" not in file.content.decode() for file in files), "only the table is in it"
    table = lead.get(reverse("insight:portfolio-file"), {"study": study.pk})
    assert table["X-Protocol-Versions"] == both
    other = make.study()
    make.play(make.session(other), WALL)
    everyone = lead.get("/staff/environments/wk01/figures/funnel.csv")
    assert everyone["X-Protocol-Versions"] == f"{both}, {other.pk}/1"


@pytest.mark.once
def test_versions_that_differ_in_the_pool_alone_are_not_mixed(lead: Client) -> None:
    study = make.study()
    make.play(make.session(study), WALL)
    study.pool.add(make.environment("rn01"))
    make.change(study)
    make.play(make.session(study), WALL)
    assert study.protocol_versions.count() == 2
    assert "combine" not in lead.get(reverse("insight:study", args=[study.pk])).content.decode()


@pytest.mark.once
@pytest.mark.parametrize("query", ["protocol=1", "study={}&protocol=9", "study={}&protocol=x"])
def test_a_version_that_does_not_exist_is_not_found(study: Study, lead: Client, query: str) -> None:
    assert lead.get(f"/staff/environments/wk01/?{query.format(study.pk)}").status_code == 404
    assert lead.get(reverse("insight:study", args=[study.pk]) + "?protocol=9").status_code == 404
