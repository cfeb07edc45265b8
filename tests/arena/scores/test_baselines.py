"""The baseline of a version is its newest release, else its metadata's, else none, and says which."""

from typing import Any

import pytest

from playtest.arena.scores.baselines import NO_BASELINE, Source, baseline_of, baselines_of
from playtest.insight.services.releases import release
from playtest.people.roles import Role
from playtest.play.models import Study
from playtest.rules.attempt import Outcome
from playtest.studio.models import Version
from tests import make
from tests.arena.scores.agents import version
from tests.live.games import WALK
from tests.staff import staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def solve(study: Study, wasted: int) -> None:
    make.play(make.session(study), [*[2] * wasted, *WALK], Outcome.COMPLETED)


def released(of: Version) -> None:
    release(of, staff(Role.LEAD), "A first look.", provisional=True)


@pytest.mark.services
def test_the_newest_release_is_the_baseline() -> None:
    study = make.study()
    solve(study, 0)
    released(of := version())
    first = baseline_of(of)
    assert (first.source, first.release, first.provisional) == (Source.RELEASE, 1, True)
    assert first.name == "release 1 (provisional)"
    assert len(first.actions) == of.levels
    assert first.second_best == (None,) * of.levels
    solve(study, 5)
    solve(study, 9)
    assert baseline_of(of) == first
    released(of)
    second = baseline_of(of)
    assert second.release == 2
    assert second.actions[0] == first.actions[0] + 5
    assert second.second_best == (first.actions[0] + 5, *first.actions[1:])


@pytest.mark.parametrize("given", [None, [], [3], "3", [3, 0], [3, -1], [3, 2.5], [True, 4], {"1": 3}])
def test_metadata_without_a_number_for_every_level_is_no_baseline(given: Any) -> None:
    of = version()
    of.levels, of.metadata = 2, {"baseline_actions": given}
    assert baseline_of(of) is NO_BASELINE
    assert (NO_BASELINE.name, NO_BASELINE.of(1)) == ("none", None)


def test_metadata_are_the_baseline_where_nothing_is_released() -> None:
    of = version()
    of.levels, of.metadata = 2, {"baseline_actions": [3, 8]}
    found = baseline_of(of)
    assert (found.source, found.name, found.actions) == (Source.METADATA, "metadata", (3, 8))
    assert [found.of(level) for level in range(4)] == [None, 3, 8, None]


@pytest.mark.services
def test_many_versions_take_two_queries(django_assert_num_queries: Any) -> None:
    solve(make.study(), 0)
    released(of := version())
    versions = [of, version("ck01")]
    with django_assert_num_queries(2):
        found = baselines_of(versions)
    assert [found[each.pk].source for each in versions] == [Source.RELEASE, Source.NONE]
