"""Each role's home says what waits for it, and shows what it works with."""

import re
from datetime import timedelta
from decimal import Decimal

import pytest
from django.urls import reverse

from playtest.arena.models import Scorecard
from playtest.arena.runs.keys import create_key
from playtest.center.models import Slot
from playtest.center.pay.services import set_budget
from playtest.jobs.models import JobStatus
from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.people.sign_in import LAST_VISIT
from playtest.play.clock import now
from playtest.play.models import SessionEnd
from playtest.play.models.outside import OutsideStudy
from playtest.play.sessions.ends import end_session
from playtest.review.models import Export, ExportKind
from playtest.rules.attempt import Outcome
from playtest.rules.pipeline import Need, Stage
from playtest.studio.models import Environment, Qualification, WaiverState
from playtest.studio.services.cards import comment, create_card, save_revision, sign_off
from playtest.studio.services.waivers import waive
from tests import make
from tests.live.games import WALK
from tests.staff import signed_in, staff
from tests.studio.sketch_texts import content

pytestmark = [pytest.mark.django_db, pytest.mark.once]

HOME = reverse("people:home")
EMPTY = {
    Role.LEAD: [
        "No slot today, 0 people in session",
        "Nobody has left an environment yet",
        "No study is open",
    ],
    Role.PROCTOR: [
        "No slot today, 0 people in session",
        "Add them under",
        "Nobody needs help now",
        "No station is registered",
        "in any browser",
    ],
    Role.RESEARCHER: ["There are no results yet", "No baseline is released yet"],
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
    assert "Your environment is blocked" in home(Role.DESIGNER)
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
    assert "Nobody has left an environment yet" in home(Role.LEAD)


def test_a_lead_is_told_of_sessions_to_review() -> None:
    session = make.session(make.study(review_share=1.0))
    make.play(session, [4] * 40, Outcome.GAVE_UP)
    session.ended_at, session.end_reason = now(), "time_over"
    session.save()
    page = home(Role.LEAD)
    assert re.search(r"<h1>\d+ things wait", page), "the installation, where nothing runs, is another"
    assert "<strong>1</strong> session waits for review" in page
    assert ">1 session waits for review</a></h1>" in home(Role.RESEARCHER)
    assert "for review" not in home(Role.PROCTOR)


def test_an_engineer_sees_jobs_and_scorecards() -> None:
    version = make.environment().current
    assert version is not None
    running = [
        Qualification.objects.create(version=version, seed=1, steps=1, requested_at=now(), status=status)
        for status in ["running"] + ["waiting"] * 8
    ]
    for finished in (now() - timedelta(days=8), now() - timedelta(days=1)):
        Qualification.objects.create(
            version=version, seed=1, steps=1, requested_at=now(), status="failed", finished_at=finished
        )
    key, _ = create_key("Team Alpha")
    Scorecard.objects.create(key=key, opened_at=now(), used_at=now())
    page = home(Role.ENGINEER)
    assert "1 job runs, 8 wait, 1 failed" in page, "more than are listed"
    assert re.search(
        r'<h1><a\s+href="/staff/environments/wk01/qualifications/\d+/">1 job failed</a></h1>', page
    )
    assert "1 job failed" not in home(Role.DESIGNER)
    Environment.objects.filter(code="wk01").update(owner=staff(Role.DESIGNER))
    assert "<strong>1</strong> job failed" in home(Role.DESIGNER), "and it lacks something"
    assert reverse("studio:qualification", args=["wk01", running[-1].pk]) in page
    assert "1 scorecard is open, 1 key is valid" in page
    Qualification.objects.create(version=version, seed=1, steps=1, requested_at=now())
    page = home(Role.ENGINEER)
    assert "Nothing waits for you" in page, "it was started again"
    assert "1 job runs, 9 wait, 0 failed" in page


def test_each_role_is_told_once_of_whom_an_environment_waits_for() -> None:
    designer = staff(Role.DESIGNER)
    card = create_card("qz42", "Rings", designer)
    assert "1 of your environments lacks something for the next stage" in home(Role.DESIGNER)
    save_revision(card, 1, content(), designer)
    card.refresh_from_db()
    assert "1 card waits for your signature" in home(Role.ENGINEER)
    sign_off(card, 2, staff(Role.ENGINEER))
    assert "for your signature" not in home(Role.ENGINEER)
    waive(card.environment, Need.NOTE, "It is a sketch.", designer, WaiverState.ASKED)
    assert "<strong>1</strong> waiver waits for your decision" in home(Role.LEAD)
    assert "waiver" not in home(Role.RESEARCHER)
    waive(card.environment, Need.NOTE, "Not yet.", staff(Role.LEAD), WaiverState.ENDED)
    walk = make.environment("wk01")
    Environment.objects.filter(pk=walk.pk).update(stage=Stage.INTERNAL)
    assert "<strong>1</strong> card waits for your signature" in home(Role.LEAD)
    assert "1 environment waits to be played by you" in home(Role.ENGINEER)
    assert walk.current is not None
    make.play_internally(walk.current, staff(Role.ENGINEER), WALK[:3])
    assert "Nothing waits for you" in home(Role.ENGINEER)
    assert "Nothing waits for you" in home(Role.PROCTOR)


def test_an_export_that_failed_waits_for_who_asked_until_it_is_asked_for_again() -> None:
    study = make.study()
    asked = {"study": study, "kind": ExportKind.STUDY_CSV, "requested_at": now()}
    lead, researcher = staff(Role.LEAD), staff(Role.RESEARCHER)
    for who in (lead, researcher):
        Export.objects.create(**asked, requested_by=who, status=JobStatus.FAILED)
    assert ">1 export of yours failed</a></h1>" in home(Role.RESEARCHER)
    Export.objects.create(**asked, requested_by=researcher)
    assert "Nothing waits for you" in home(Role.RESEARCHER)
    assert "<strong>1</strong> export of yours failed" in home(Role.LEAD)


def test_a_comment_on_a_card_waits_for_its_author_until_it_is_answered() -> None:
    designer = staff(Role.DESIGNER)
    card = create_card("qz42", "Rings", designer)
    save_revision(card, 1, content(), designer)
    card.refresh_from_db()
    told = "comment on your cards waits for an answer"
    for answered in ("written", "revised"):
        comment(card, card.revision, "The pits are hard to see.", staff(Role.ENGINEER))
        assert told in home(Role.DESIGNER)
        assert told not in home(Role.ENGINEER)
        if answered == "written":
            comment(card, card.revision, "They are black now.", designer)
        else:
            save_revision(card, card.revision, content(concept="Walk."), designer)
        assert told not in home(Role.DESIGNER)


def test_everything_that_waits_is_in_one_list_and_nothing_twice() -> None:
    session = make.session(make.study())
    make.play(session, [4], Outcome.FAULT, fault_code="environment_raised", fault_message="It raised.")
    end_session(session, SessionEnd.ENDED_BY_STAFF)
    set_budget(session.study, Decimal(100), 80, "The sponsor gave this.", staff(Role.LEAD))
    page = home(Role.LEAD)
    for told in (
        "environment fault waits to be acknowledged",
        "person is to be paid",
        "budget is nearly or wholly used",
    ):
        assert f"<strong>1</strong> {told}</a>" in page
    assert page.count("environment fault") == 1
    assert "?outcome=fault_not_acknowledged" in page
    assert "paid" not in home(Role.PROCTOR).split("<main")[1]


def test_a_home_says_what_is_new_since_the_sign_in_before() -> None:
    client = signed_in(Role.LEAD)
    assert "since you signed in last" not in client.get(HOME).content.decode()
    browser = client.session
    browser[LAST_VISIT] = (now() - timedelta(hours=1)).timestamp()
    browser.save()
    assert "Nothing is new since you signed in last" in client.get(HOME).content.decode()
    make.play(make.session(make.study()), [4] * 40, Outcome.GAVE_UP)
    page = client.get(HOME).content.decode()
    assert "New since you signed in last" in page
    assert f'<a href="{reverse("review:attempts")}">1 attempt that counts</a>' in page
    assert '">1 version imported</a>' in page


def test_the_example_is_dismissed_for_good_by_one_click() -> None:
    study = make.study(rehearsal=True, name="Demonstration")
    OutsideStudy.objects.create(study=study, source="The product", licence="MIT", imported_at=now())
    lead = signed_in(Role.LEAD)
    assert "A live example" in lead.get(HOME).content.decode()
    assert "A live example" not in lead.post(reverse("people:dismiss-example"), follow=True).content.decode()
    assert "A live example" not in home(Role.LEAD), "in another browser, too"
    assert "A live example" in home(Role.RESEARCHER)
