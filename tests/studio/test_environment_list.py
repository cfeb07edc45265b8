"""The list of environments."""

import re

import pytest
from django.urls import reverse

from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.rules.attempt import Outcome
from tests import sittings
from tests.live.games import WALK
from tests.staff import signed_in

pytestmark = pytest.mark.django_db


def test_an_empty_list_says_how_to_fill_it() -> None:
    page = signed_in(Role.DESIGNER).get(reverse("studio:environments")).content.decode()
    assert "manage.py prepare" in page


def test_it_shows_what_staff_need_to_know() -> None:
    version = sittings.environment("wk01").current
    assert version is not None
    sittings.environment("ck01")
    page = signed_in(Role.ENGINEER).get(reverse("studio:environments")).content.decode()
    assert version.digest[:8] in page
    assert "directions" in page
    assert "click" in page
    assert reverse("insight:baseline", args=["wk01"]) in page


def test_it_counts_real_people_in_real_studies() -> None:
    study = sittings.study()
    sittings.play(sittings.sit_down(study), WALK, Outcome.COMPLETED)
    sittings.play(sittings.sit_down(study), [4])
    sittings.play(sittings.sit_down(study, new_participant(simulated=True)), WALK, Outcome.COMPLETED)
    sittings.play(sittings.sit_down(sittings.study(rehearsal=True)), WALK, Outcome.COMPLETED)
    page = signed_in(Role.ENGINEER).get(reverse("studio:environments")).content.decode()
    levels, attempts, completed = re.findall(r'<td class="number">(\d+)</td>', page)
    assert (levels, attempts, completed) == ("6", "2", "1")
