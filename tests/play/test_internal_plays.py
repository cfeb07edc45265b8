"""Staff play any version from any level without a session, in the same journal as people."""

import pytest
from django.db import DatabaseError, transaction
from django.urls import reverse

from playtest.people.roles import Role
from playtest.play.errors import Refusal
from playtest.play.models import Attempt, Entry
from playtest.play.sessions.internal_plays import begin_internal_play
from playtest.rules.attempt import Outcome, PlayedBy
from playtest.studio.models import Sighting, Version
from tests import make
from tests.insight.stages import newer_version
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def version() -> Version:
    found = make.environment().current
    assert found is not None
    return found


@pytest.mark.services
def test_a_play_begins_on_its_level_and_ends_the_one_before(version: Version) -> None:
    designer, lead = staff(Role.DESIGNER), staff(Role.LEAD)
    first = begin_internal_play(version, designer, 1)
    assert begin_internal_play(version, designer, 1) == first, "a second click"
    colleague = begin_internal_play(version, lead, 3)
    third = make.play_internally(version, designer, [1, 1, 4, 3], level=3)
    first.refresh_from_db()
    assert (first.outcome, third.outcome) == (Outcome.RESTARTED, Outcome.GAVE_UP)
    assert (third.played_by, third.is_run) == (PlayedBy.STAFF, False)
    assert third.session is None
    assert third.participant is None
    assert (third.levels_completed, third.levels_done, first.levels_done) == (3, 1, 0)
    assert list(third.entries.order_by("seq").values_list("level", "levels_completed")) == [
        (3, 2), (3, 2), (3, 2), (3, 3), (4, 3),
    ]  # fmt: skip
    colleague.refresh_from_db()
    assert colleague.ended_at is None
    seen = Sighting.objects.order_by("pk").values_list("staff", "kind")
    assert list(seen) == [(designer.pk, "played"), (lead.pk, "played")]


def test_a_play_with_actions_is_begun_again_as_another_one(version: Version) -> None:
    designer = staff(Role.DESIGNER)
    played = make.play_internally(version, designer, [4], None)
    assert begin_internal_play(version, designer, 1) != played
    played.refresh_from_db()
    assert (played.outcome, played.actions) == (Outcome.RESTARTED, 1)


def test_a_level_that_does_not_exist_is_refused(version: Version) -> None:
    for level in (0, version.levels + 1):
        with pytest.raises(Refusal, match="choose one from 1 to 6") as refused:
            begin_internal_play(version, staff(Role.LEAD), level)
        assert refused.value.code == "level_unknown"
    client = signed_in(Role.LEAD)
    address = reverse("play:internal-begin", args=["wk01"])
    assert "(level_unknown)" in client.post(address, {"version": version.pk, "level": "7"}, follow=True).text
    for wrong in ({"version": version.pk + 1, "level": "1"}, {"version": "x", "level": "1"}):
        assert client.post(address, wrong).status_code == 404
    assert not Attempt.objects.exists()


def test_without_a_choice_the_current_version_begins_on_its_first_level(version: Version) -> None:
    signed_in(Role.LEAD).post(reverse("play:internal-begin", args=["wk01"]))
    assert Attempt.objects.values_list("version", "first_level").get() == (version.pk, 1)


@pytest.mark.services
def test_the_database_keeps_people_agents_and_staff_apart(version: Version) -> None:
    play = begin_internal_play(version, staff(Role.LEAD), 2)
    person = make.play(make.session(make.study()), [4])
    base = {"environment": version.environment, "version": version, "number": 1, "seed": 1}
    base |= {"assigned_at": play.assigned_at}
    wrong = (
        lambda: Attempt.objects.filter(pk=play.pk).update(first_level=1),
        lambda: Attempt.objects.filter(pk=play.pk).update(staff=None),
        lambda: Attempt.objects.create(**base, first_level=2),
        lambda: Attempt.objects.create(**base, staff=play.staff),
        lambda: Attempt.objects.filter(pk=person.pk).update(staff=play.staff),
        play.delete,
    )
    for change in wrong:
        with pytest.raises(DatabaseError), transaction.atomic():
            change()


def test_one_click_opens_the_board_for_its_player_alone(version: Version) -> None:
    designer = signed_in(Role.DESIGNER)
    studio = reverse("studio:environment", args=["wk01"])
    page = designer.get(studio).text
    assert "Play it now" in page
    assert "Nobody of the team has played it." in page
    begin = reverse("play:internal-begin", args=["wk01"])
    board = designer.post(begin, {"version": version.pk, "level": "1"}, follow=True)
    play = Attempt.objects.get()
    assert board.redirect_chain == [(reverse("play:internal-play", args=[play.pk]), 302)]
    assert f'data-socket="/ws/internal/{play.pk}/"' in board.text
    assert "call-staff" not in board.text
    assert "Continue your play from level 1" in designer.get(studio).text
    results = reverse("insight:internal-play", args=[play.pk])
    other = signed_in(Role.LEAD).get(reverse("play:internal-play", args=[play.pk]))
    assert (other.status_code, other["Location"]) == (302, results)
    refused = signed_in(Role.PROCTOR)
    assert refused.post(begin, {"version": version.pk, "level": "1"}).status_code == 403
    assert refused.get(reverse("play:internal-play", args=[play.pk])).status_code == 403
    begin_internal_play(version, staff(Role.DESIGNER), 4)
    assert designer.get(reverse("play:internal-play", args=[play.pk]))["Location"] == results
    assert designer.get(reverse("play:internal-play", args=[play.pk + 99])).status_code == 404


def test_an_earlier_version_is_played_too(version: Version) -> None:
    newer = newer_version(version.environment)
    page = signed_in(Role.ENGINEER).get(reverse("studio:environment", args=["wk01"])).text
    assert all(f'name="version" value="{one.pk}"' in page for one in (version, newer))
    play = make.play_internally(version, staff(Role.ENGINEER), [4])
    assert Entry.objects.filter(attempt=play).count() == 2
    assert signed_in(Role.ENGINEER).get(reverse("insight:internal-play", args=[play.pk])).status_code == 200
