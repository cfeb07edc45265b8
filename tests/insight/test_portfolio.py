"""The portfolio: the results of all environments in one table, by scope and as a file."""

import csv
import re
from io import StringIO

import pytest
from django.urls import reverse

from playtest.insight.scope import Scope
from playtest.insight.tables.portfolio import portfolio
from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play.models import Study
from playtest.review.models import DecisionKind
from playtest.rules.attempt import Outcome
from playtest.studio.models import Version
from tests import make
from tests.insight.up_to_date import up_to_date
from tests.live.games import WALK
from tests.review.cases import settled
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

SOLVES = [*[2] * 14, *WALK]


@pytest.fixture
def study() -> Study:
    return make.study()


def page(role: Role = Role.DESIGNER, **query: str) -> str:
    answer = signed_in(role).get(reverse("insight:portfolio"), query)
    assert answer.status_code == 200
    return answer.content.decode()


def row_of(html: str) -> list[str]:
    """Returns the text of each cell of the only environment."""
    (row,) = re.findall(r"<tr>\s*(<th.*?)</tr>", html.split("<tbody>")[1], re.DOTALL)
    return [" ".join(re.sub("<.*?>", " ", cell).split()) for cell in re.split("</t[hd]>", row)[:-1]]


def test_an_empty_list_says_how_to_fill_it() -> None:
    assert "manage.py prepare" in page()


def test_an_environment_without_attempts_is_listed_with_its_facts(study: Study) -> None:
    html = page()
    assert "1 environment: 1 not yet in External" in html
    assert "This is a rehearsal" not in html
    assert row_of(html) == [
        "wk01", "", "not yet in External", "0 / 10", "–", "–", "–", "–", "6", "directions", "0",  # noqa: RUF001
        "Baseline of wk01",
    ]  # fmt: skip
    version = make.environment().current
    assert version is not None
    assert f'title="Version {version.digest[:8]}"' in html


def test_the_portfolio_counts_real_people_in_real_studies_only(study: Study) -> None:
    make.play(make.session(study), SOLVES, Outcome.COMPLETED, seconds_an_action=15)
    make.play(make.session(study), [*WALK[:3], *[4] * 29], seconds_an_action=15)
    make.play(make.session(study), WALK[:9])  # too short to count
    make.play(make.session(study, new_participant(simulated=True)), SOLVES, Outcome.COMPLETED)
    make.play(make.session(make.study(rehearsal=True)), SOLVES, Outcome.COMPLETED)
    up_to_date()
    (row,) = portfolio(Scope())
    assert (row.attempts, row.verdict.people, row.verdict.solvers, row.solved) == (3, 2, 1, 0.5)
    assert row.minutes == pytest.approx(8)
    assert [(level.level, level.lost, level.reached) for level in row.hardest] == [(2, 1, 3)]
    assert row.completion[0] == 1
    assert row.completion[5] == pytest.approx(1 / 3)


def test_results_are_of_the_current_version_and_attempts_of_all_versions(study: Study) -> None:
    make.play(make.session(study), SOLVES, Outcome.COMPLETED)
    environment = make.environment()
    new = Version.objects.get(environment=environment)
    new.pk, new.digest = None, "f" * 64
    new.save()
    environment.current = new
    environment.save()
    up_to_date()
    (row,) = portfolio(Scope())
    assert (row.attempts, row.verdict.people, row.completion) == (1, 0, ())


def test_exclusions_and_studies_can_be_chosen_and_links_preserve_the_choice(study: Study) -> None:
    make.play(make.session(study), SOLVES, Outcome.COMPLETED)
    out = make.play(make.session(study), [2] * 32)
    settled(out.session, staff(Role.LEAD), DecisionKind.EXCLUDE_SESSION, "did_not_try")
    other = make.study("ck01")
    assert "Excluded results are not counted." in page()
    html = page(study=str(study.pk), excluded="with")
    assert "Excluded results are counted." in html
    assert row_of(html)[3:5] == ["2 / 10", "50 %"]
    assert row_of(page(study=str(study.pk)))[3:5] == ["1 / 10", "100 %"]
    assert f"/staff/environments/wk01/?study={study.pk}&amp;excluded=with" in html
    assert f"study={study.pk}" in re.findall('href="(/staff/attempts/[?][^"]*)"', html)[0]
    assert row_of(page(study=str(other.pk)))[0] == "ck01"
    rehearsal = make.study(rehearsal=True)
    assert "This is a rehearsal, not a result." in page(study=str(rehearsal.pk))


def test_the_file_has_the_numbers_of_the_table(study: Study) -> None:
    make.play(make.session(study), SOLVES, Outcome.COMPLETED, seconds_an_action=15)
    address = re.findall('href="([^"]*csv[^"]*)"', page(study=str(study.pk)))[0]
    answer = signed_in(Role.ENGINEER).get(address)
    (row,) = csv.DictReader(StringIO(answer.content.decode("utf-8-sig")))
    assert (row["environment"], row["people_counted"], row["solved_percent"]) == ("wk01", "1", "100.0")
    assert (row["median_minutes"], row["completed_6_percent"], row["gate"]) == (
        "8.0",
        "100.0",
        "needs_people",
    )


def test_attempts_are_not_linked_without_the_right_to_watch(study: Study) -> None:
    make.play(make.session(study), SOLVES, Outcome.COMPLETED)
    assert "/staff/attempts/" in page(Role.DESIGNER)
    assert "/staff/attempts/" not in page(Role.ENGINEER)
