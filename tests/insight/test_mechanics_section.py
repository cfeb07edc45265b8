"""The environment's page says which mechanic of the card people were lost on."""

import pytest
from django.urls import reverse

from playtest.people.roles import Role
from playtest.rules.attempt import Outcome
from playtest.rules.cards import CardContent, Mechanic
from playtest.studio.models import Environment
from playtest.studio.services.cards import create_card_of, save_revision
from tests import make
from tests.insight.test_environment_page import STALL, text
from tests.live.games import WALK
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def test_people_are_lost_where_a_mechanic_is_new_or_on_a_level_that_combines() -> None:
    study = make.study("wk01", people=100)
    for done, outcome in (
        (0, Outcome.GAVE_UP),
        (3, Outcome.GAVE_UP),
        (3, Outcome.CONCLUDED),
        (6, Outcome.TIMED_OUT),
    ):
        make.play(make.session(study), [*STALL, *WALK[:done]], outcome)
    make.play(make.session(study), [*STALL, *WALK], Outcome.COMPLETED)
    walk, author = Environment.objects.get(code="wk01"), staff(Role.DESIGNER)
    client = signed_in(Role.DESIGNER)
    page = reverse("insight:environment", args=["wk01"])
    assert "Lost where it is new" not in text(client, page)
    content = CardContent(mechanics=(Mechanic("Steps", 1), Mechanic("Keys", 2), Mechanic("Locks", 2)))
    save_revision(create_card_of(walk, author), 1, content.as_json(), author)
    for address in (page, reverse("insight:environment-now", args=["wk01"])):
        shown = text(client, address)
        assert "3 people were lost on a level that introduces a mechanic, 1 on one that may combine" in shown
        assert "Most of the former, 2, where “Keys” and “Locks” came first." in shown
        assert "Steps level 1: 1 of 5" in shown
        assert "Keys, Locks level 2: 2 of 4 level 3: 1 of 2 level 4: 0 of 1" in shown
        assert "with Steps" in shown
    level = reverse("insight:ends", args=["wk01", 2])
    assert f'href="{level}?' in client.get(page).content.decode()
