"""Every staff page: the anonymous are sent to sign in, roles without its right are refused."""

import pytest
from django.test import Client
from django.urls import reverse

from playtest.people.navigation import PAGES as NAVIGATION
from playtest.people.roles import RIGHTS, Right, Role
from playtest.review.models import DecisionKind
from playtest.review.services.decisions import decide
from tests import sittings
from tests.staff import signed_in, staff

pytestmark = pytest.mark.django_db

PAGES = {
    "center:sessions": Right.RUN_SESSIONS,
    "center:session-new": Right.RUN_SESSIONS,
    "center:session": Right.RUN_SESSIONS,
    "center:station": Right.RUN_SESSIONS,
    "studio:environments": Right.READ_BASELINES,
    "insight:baseline": Right.READ_BASELINES,
    "review:attempts": Right.WATCH_ATTEMPTS,
    "review:attempt": Right.WATCH_ATTEMPTS,
    "review:journal": Right.WATCH_ATTEMPTS,
    "review:recording": Right.WATCH_ATTEMPTS,
    "review:attempt-exports": Right.WATCH_ATTEMPTS,
    "review:exports": Right.WATCH_ATTEMPTS,
    "review:queue": Right.REVIEW_EFFORT,
    "review:case": Right.REVIEW_EFFORT,
    "review:decisions": Right.REVIEW_EFFORT,
    "review:data": Right.TAKE_DATA,
    "review:withdrawal": Right.WITHDRAW,
    "play:studies": Right.MANAGE_STUDIES,
    "play:study": Right.MANAGE_STUDIES,
    "play:study-new": Right.MANAGE_STUDIES,
    "play:study-edit": Right.MANAGE_STUDIES,
}
DEEDS = {
    "center:session-code": Right.RUN_SESSIONS,
    "center:session-end": Right.RUN_SESSIONS,
    "review:acknowledge": Right.WATCH_ATTEMPTS,
    "review:check": Right.WATCH_ATTEMPTS,
    "review:decide": Right.REVIEW_EFFORT,
    "review:decision-confirm": Right.REVIEW_EFFORT,
    "review:decision-reverse": Right.REVIEW_EFFORT,
}


@pytest.fixture
def addresses() -> dict[str, str]:
    session = sittings.sit_down(sittings.study())
    attempt = sittings.play(session, [4, 4, 4])
    decision = decide(session, staff(Role.LEAD), DecisionKind.KEEP, "tried")
    subjects = {
        "session": session.pk,
        "attempt": attempt.pk,
        "study": session.study_id,
        "decision": decision.pk,
    }
    arguments = {
        "center:session": "session",
        "center:session-code": "session",
        "center:session-end": "session",
        "review:case": "session",
        "review:decide": "session",
        "review:attempt": "attempt",
        "review:journal": "attempt",
        "review:recording": "attempt",
        "review:attempt-exports": "attempt",
        "review:acknowledge": "attempt",
        "review:check": "attempt",
        "review:decision-confirm": "decision",
        "review:decision-reverse": "decision",
        "play:study": "study",
        "play:study-edit": "study",
    }
    found = {name: reverse(name, args=[subjects[subject]]) for name, subject in arguments.items()}
    found["insight:baseline"] = reverse("insight:baseline", args=["wk01"])
    return {name: found.get(name) or reverse(name) for name in PAGES | DEEDS}


@pytest.mark.parametrize("name", PAGES)
def test_the_anonymous_are_sent_to_sign_in_and_back(name: str, addresses: dict[str, str]) -> None:
    answer = Client().get(addresses[name])
    assert answer.status_code == 302
    assert answer["Location"] == f"{reverse('people:sign-in')}?next={addresses[name]}"


@pytest.mark.parametrize("name", PAGES)
def test_a_page_opens_for_the_roles_with_its_right_only(name: str, addresses: dict[str, str]) -> None:
    for role in Role:
        answer = signed_in(role).get(addresses[name])
        if PAGES[name] in RIGHTS[role]:
            assert answer.status_code == 200, role
        else:
            assert answer.status_code == 403, role
            assert "right_missing" in answer.content.decode()


@pytest.mark.parametrize("name", DEEDS)
def test_a_deed_is_refused_without_its_right(name: str, addresses: dict[str, str]) -> None:
    assert Client().post(addresses[name])["Location"].startswith(reverse("people:sign-in"))
    for role in Role:
        if DEEDS[name] not in RIGHTS[role]:
            assert signed_in(role).post(addresses[name]).status_code == 403, role


@pytest.mark.parametrize("name", DEEDS)
def test_a_deed_is_never_done_by_following_a_link(name: str, addresses: dict[str, str]) -> None:
    assert signed_in(Role.LEAD).get(addresses[name]).status_code == 405


@pytest.mark.parametrize("role", list(Role))
def test_the_navigation_shows_what_the_role_may_open_and_nothing_else(role: Role) -> None:
    client = signed_in(role)
    home = client.get(reverse("people:home"), follow=True)
    assert home.status_code == 200
    for page in home.context["navigation"]:
        assert client.get(page["address"]).status_code == 200
    assert [page["current"] for page in home.context["navigation"]].count(True) == 1
    may_open = [reverse(page.url_name) for page in NAVIGATION if page.right in RIGHTS[role]]
    assert [page["address"] for page in home.context["navigation"]] == may_open
