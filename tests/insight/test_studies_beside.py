"""Two centers' studies of one protocol are beside each other on one page."""

from pathlib import Path

import pytest
from django.urls import reverse

from playtest.insight.pages.study.comparison import Beside, Side, comparable
from playtest.insight.paper.package.importing import import_package
from playtest.insight.paper.package.write import write_package
from playtest.people.roles import Role
from playtest.play.models import Study
from playtest.rules.attempt import Outcome
from playtest.rules.inference.medians import interval
from playtest.rules.inference.shares import share
from tests import make
from tests.live.games import WALK
from tests.staff import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def played(study: Study, people: int, extra: int) -> Study:
    """So many people solve it, each with one action more than the one before, and one gives up."""
    for number in range(people):
        make.play(make.session(study), [*[0] * (31 + extra + number), *WALK], Outcome.COMPLETED)
    make.play(make.session(study), [0] * 40)
    return study


@pytest.fixture
def own(tmp_path: Path) -> Study:
    elsewhere = played(make.study(name="Center B", people=100), 4, 0)
    write_package(elsewhere, tmp_path / "package", identified=False)
    import_package(tmp_path / "package", name="Center B, imported")
    return played(make.study(name="Center A", people=100), 3, 10)


def test_completers_baselines_success_and_times_are_beside_each_other(own: Study, tmp_path: Path) -> None:
    lead = signed_in(Role.LEAD)
    imported = Study.objects.get(name="Center B, imported")
    assert comparable(own)[0] == imported, "what is from outside comes first"
    assert (
        reverse("insight:study-beside", args=[own.pk])
        in lead.get(reverse("insight:study", args=[own.pk])).text
    )
    page = lead.get(reverse("insight:study-beside", args=[own.pk])).text
    assert "“Center A” beside “Center B, imported”" in page
    assert "Both follow the same protocol." in page
    assert "sealed by the hash chains of its source" in page
    ((_, (ours, theirs), levels),) = Beside(Side(own), Side(imported)).rows()
    assert (ours.solved, theirs.solved) == (share(3, 4), share(4, 5))
    first = levels[0][1]
    assert [one.baseline.completers for one in first] == [3, 4]
    assert [one.interval for one in first] == [interval(one.baseline.actions) for one in first]
    assert [one.baseline.upper_median for one in first] == [45, 36]


def test_other_protocols_and_unknown_studies_are_said(own: Study) -> None:
    lead, other = signed_in(Role.LEAD), make.study(name="Other", people=100, hard_seconds=3_000)
    address = reverse("insight:study-beside", args=[own.pk])
    assert lead.get(f"{address}?with={other.pk}").status_code == 404, "nobody has played in it"
    make.play(make.session(other), [0] * 40)
    assert "Their protocols differ in: limits." in lead.get(f"{address}?with={other.pk}").text
    alone = reverse("insight:study-beside", args=[make.study("ck01", name="Alone").pk])
    assert "There is nothing to compare yet." in lead.get(alone).text
