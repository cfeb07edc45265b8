"""Each role's home says what waits for it, and shows what it works with."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse

from playtest.arena.models import Scorecard
from playtest.arena.runs.keys import create_key
from playtest.center.models import Slot
from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play.clock import now
from playtest.rules.attempt import Outcome
from playtest.studio.models import Environment, Qualification
from tests import make
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

HOME = reverse("people:home")
EMPTY = {
    Role.LEAD: [
        "No slot today, 0 people in session",
        "Nobody has left an environment yet",
        "No study is open",
        "No environment waits for a move",
    ],
    Role.PROCTOR: [
        "No slot today, 0 people in session",
        "Add them under",
        "Nobody needs help now",
        "There are no stations yet",
    ],
    Role.RESEARCHER: [
        "There are no results yet",
        "Nobody has left an environment yet",
        "No baseline is released yet",
    ],
    Role.DESIGNER: ["You own no environment yet", "Nobody has left an environment yet"],
    Role.ENGINEER: ["No job runs, and none failed lately", "0 scorecards are open, 0 keys are valid"],
}


def home(role: Role) -> str:
    return signed_in(role).get(HOME).content.decode()


@pytest.mark.parametrize("role", list(Role))
def test_an_empty_home_says_what_will_appear(role: Role) -> None:
    page = home(role)
    assert ("Nothing waits for you" in page) == (role != Role.LEAD), "no process runs here, and it says so"
    for sentence in EMPTY[role]:
        assert sentence in page


def test_a_proctor_sees_todays_slots_and_who_plays() -> None:
    session = make.session(make.study(name="Spring"))
    begins = now()
    Slot.objects.create(
        study=session.study,
        starts_at=begins,
        ends_at=begins + timedelta(hours=2),
        capacity=5,
        created_at=begins,
    )
    yesterday = begins - timedelta(days=2)
    Slot.objects.create(
        study=session.study, starts_at=yesterday, ends_at=begins, capacity=7, created_at=yesterday
    )
    page = home(Role.PROCTOR)
    assert "1 slot today, 1 person in session" in page
    assert 'class="number">5</td>' in page
    assert 'class="number">7</td>' not in page
    assert "left" not in page.lower().split("<main")[1]


def test_a_designer_sees_own_environments_and_who_left_them() -> None:
    designer = staff(Role.DESIGNER)
    study, other = make.study("wk01", name="One"), make.study("ck01", name="Two")
    Environment.objects.filter(code="wk01").update(owner=designer)
    assert "1 of your 1 environment is blocked" in home(Role.DESIGNER)
    assert "Nobody has left your environments yet" in home(Role.DESIGNER)
    own = make.play(make.session(study), [4] * 40, Outcome.GAVE_UP)
    of_others = make.play(make.session(other), [(1, 1)] * 40, Outcome.GAVE_UP)
    page = home(Role.DESIGNER)
    assert reverse("review:attempt", args=[own.pk]) in page
    assert reverse("review:attempt", args=[of_others.pk]) not in page


def test_simulated_people_who_left_are_shown_until_real_ones_leave() -> None:
    study = make.study()
    simulated = make.play(make.session(study, new_participant(simulated=True)), [4] * 40, Outcome.GAVE_UP)
    page = home(Role.RESEARCHER)
    assert "these are simulated people, or staff who test" in page
    assert reverse("review:attempt", args=[simulated.pk]) in page
    real = make.play(make.session(study), [4] * 40, Outcome.GAVE_UP)
    page = home(Role.RESEARCHER)
    assert "these are simulated people" not in page
    assert reverse("review:attempt", args=[simulated.pk]) not in page
    assert reverse("review:attempt", args=[real.pk]) in page


def test_whoever_left_at_once_is_not_among_them() -> None:
    make.play(make.session(make.study()), [4] * 30, Outcome.GAVE_UP)
    assert "Nobody has left an environment yet" in home(Role.RESEARCHER)


def test_a_lead_is_told_of_sessions_to_review() -> None:
    session = make.session(make.study(review_share=1.0))
    make.play(session, [4] * 40, Outcome.GAVE_UP)
    session.ended_at, session.end_reason = now(), "time_over"
    session.save()
    page = home(Role.LEAD)
    assert re.search(r"<h1>\d pages wait", page), "the installation, where nothing runs, is another"
    assert "<strong>1</strong> session to review" in page
    assert "session to review" not in home(Role.PROCTOR)


def test_an_engineer_sees_jobs_and_scorecards() -> None:
    version = make.environment().current
    assert version is not None
    running = Qualification.objects.create(version=version, seed=1, steps=1, requested_at=now())
    for finished in (now() - timedelta(days=1), now() - timedelta(days=8)):
        Qualification.objects.create(
            version=version, seed=1, steps=1, requested_at=now(), status="failed", finished_at=finished
        )
    key, _ = create_key("Team Alpha")
    Scorecard.objects.create(key=key, opened_at=now(), used_at=now())
    page = home(Role.ENGINEER)
    assert "1 job under way, 1 failed" in page
    assert reverse("studio:qualification", args=["wk01", running.pk]) in page
    assert "1 scorecard is open, 1 key is valid" in page
