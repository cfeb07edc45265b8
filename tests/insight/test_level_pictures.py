"""The picture of a level: its first frame, from an attempt or from starting it."""

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from playtest.insight.pages.environment.first_frames import first_frame
from playtest.people.roles import Role
from playtest.rules.attempt import Outcome
from tests import make
from tests.live.games import WALK
from tests.staff import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.once]

LEVELS = "/staff/environments/wk01/levels"


@pytest.fixture
def designer() -> Client:
    return signed_in(Role.DESIGNER)


def test_the_picture_of_an_unseen_level_is_made_by_starting_it(designer: Client) -> None:
    cache.clear()  # first frames are kept by the digest of a version, which other tests play
    make.environment()
    last, none = (designer.get(f"{LEVELS}/{level}.png") for level in (6, 7))
    assert last.content.startswith(b"\x89PNG")
    assert none.status_code == 404
    version = make.environment().current
    assert version is not None
    shown = first_frame(version, 6)
    assert shown is not None
    assert {int(cell) for cell in shown.flat} >= {8, 9, 14}  # a pit, the player, the goal


def test_a_levels_picture_is_its_first_frame(designer: Client) -> None:
    attempt = make.play(make.session(make.study()), WALK, Outcome.COMPLETED)
    pictures = {level: designer.get(f"{LEVELS}/{level}.png") for level in (1, 2)}
    assert all(picture.content.startswith(b"\x89PNG") for picture in pictures.values())
    assert pictures[1].content != pictures[2].content
    replay = designer.get(reverse("review:picture", args=[attempt.pk]), {"action": 3, "scale": 4})
    assert pictures[2].content == replay.content
