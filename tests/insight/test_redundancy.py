"""The comparison of two environments and the mark that they are too similar."""

import pytest
from django.urls import reverse

from playtest.insight.pipeline.board import board
from playtest.insight.pipeline.redundancy import compare
from playtest.jobs.models import JobStatus
from playtest.people.roles import Role
from playtest.play.clock import now
from playtest.rules.baseline import Fewest
from playtest.studio.models import Exploration, Recording, RedundantPair, Version
from tests import sittings
from tests.insight.up_to_date import up_to_date
from tests.live.games import WALK
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def page(role: Role = Role.DESIGNER, **asked: str) -> str:
    return signed_in(role).get(reverse("insight:redundancy"), asked).content.decode()


def mark(reason: str, role: Role = Role.DESIGNER, other: str = "ck01", **more: str) -> str:
    address = reverse("insight:redundancy-mark", args=["wk01", other])
    return signed_in(role).post(address, {"reason": reason, **more}, follow=True).content.decode()


def test_the_page_compares_two_environments_level_by_level() -> None:
    walk, lamps = sittings.environment("wk01"), sittings.environment("ck01")
    assert walk.current is not None
    sittings.play(sittings.sit_down(sittings.study()), WALK[:3])
    for level, actions in ((1, 5), (2, 3)):
        Recording.objects.create(
            version=walk.current,
            kind="optimal",
            name=f"Level {level}",
            level=level,
            actions=[[2, None, None]] * actions,
            levels_completed=[level - 1] * actions + [level],
            made_at=now(),
        )
    report = {"nodes": 7, "fully_explored": True, "p_win": {"lower": 0.125, "upper": 0.125, "exact": "1/8"}}
    Exploration.objects.create(
        version=walk.current, seed=0, level=2, status=JobStatus.DONE, report=report, requested_at=now()
    )
    up_to_date()
    (first, other), (second, _), *_ = compare(walk, lamps).levels
    assert first is not None
    assert second is not None
    assert other is not None
    assert (first.fewest, first.exploration) == (
        Fewest(3, proven=False),
        None,
    )  # a person's, who needed fewer
    assert (second.fewest, other.fewest) == (Fewest(3, proven=False), None)
    shown = page(first="wk01", second="ck01")
    assert "1/8" in shown
    assert reverse("insight:level-picture", args=["wk01", 1]) in shown


@pytest.mark.services
def test_a_pair_has_one_mark_in_either_order_and_it_can_be_removed() -> None:
    walk, lamps = sittings.environment("wk01"), sittings.environment("ck01")
    assert "reason_missing" in mark(" ")
    assert "pair_of_one" in mark("the same", other="wk01")
    assert "Both are walks." in mark("Both are walks.")
    mark("Both are dull.")
    pair = RedundantPair.objects.get()
    assert (pair.reason, pair.marked_by) == ("Both are dull.", staff(Role.DESIGNER))
    assert compare(lamps, walk).pair == pair
    assert "Both are dull." in page()
    assert {card.environment.code: card.redundant for column in board() for card in column.cards} == {
        "wk01": (("ck01", "Both are dull."),),
        "ck01": (("wk01", "Both are dull."),),
    }
    assert "Redundant with ck01" in signed_in(Role.DESIGNER).get(reverse("insight:board")).content.decode()
    assert "newer version" not in page(first="wk01", second="ck01")
    Version.objects.filter(environment=walk).update(imported_at=now())
    assert "<code>wk01</code> has a newer version" in page(first="wk01", second="ck01")
    mark("", unmark="1")
    assert not RedundantPair.objects.exists()
    assert "No pair is marked" in page()


def test_an_environment_cannot_be_compared_with_itself() -> None:
    sittings.environment("wk01")
    assert "Choose two different environments" in page(first="wk01", second="wk01")
