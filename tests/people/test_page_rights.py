"""The expected access of every page, and that the running application enforces it for each role and method.

A new URL needs two things:
1. Its view declares its access where it is defined, `@requires(Right...)` or `@declares(Audience...)`, and
   has a docstring, whose first line says on /staff/roles/ what the page shows or does.
2. A row here, its name with the right: in PAGES (GET shows it; `addresses` has something to show), in ABSENT
   (GET shows it, but `world` has none: 404) or in ACTIONS (POST only). What needs no right is in OTHERS.
Sockets and their messages are in tests/people/test_access_table.py.
"""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any, NamedTuple
from uuid import UUID

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils.html import escape

from playtest.center.interventions.controls import CONTROLS
from playtest.center.interventions.group_controls import GROUP_CONTROLS
from playtest.center.models import Slot, Station
from playtest.insight.services.reports import register
from playtest.people import access_table
from playtest.people.models import Survey
from playtest.people.navigation import PAGES as NAVIGATION
from playtest.people.roles import RIGHTS, Access, Audience, Right, Role
from playtest.play.clock import now
from playtest.play.models import Session
from playtest.review.models import DecisionKind
from playtest.review.services.decisions import decide
from playtest.studio.models import Environment
from playtest.studio.services.cards import create_card_of
from tests import make
from tests.remembered import remembered
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

PAGES: dict[str, Access] = {
    "arena:reference-agents": Right.READ_BOARDS,
    "arena:keys": Right.MANAGE_KEYS,
    "arena:exposure": Right.READ_BOARDS,
    "arena:exposure-scores": Right.READ_BOARDS,
    "arena:exposure-keys": Right.READ_BOARDS,
    "arena:exposure-accounts": Right.READ_BOARDS,
    "arena:cards": Right.READ_BOARDS,
    "arena:boards": Right.READ_BOARDS,
    "arena:development": Right.READ_BOARDS,
    "arena:exports": Right.READ_BOARDS,
    "arena:drop": Right.READ_BOARDS,
    "arena:boards-figure": Right.READ_BOARDS,
    "arena:task-board": Right.READ_BOARDS,
    "arena:task-board-figure": Right.READ_BOARDS,
    "arena:submission-new": Right.MANAGE_KEYS,
    "arena:environment": Right.READ_BOARDS,
    "arena:environment-figure": Right.READ_BOARDS,
    "operation:status": Right.OPERATE,
    "operation:alarms": Right.OPERATE,
    "operation:retention": Right.WITHDRAW,
    "people:account": Right.MANAGE_ACCOUNTS,
    "people:account-changes": Right.MANAGE_ACCOUNTS,
    "people:accounts": Right.MANAGE_ACCOUNTS,
    "center:pay": Right.ENTER_PAY,
    "center:pay-batch-new": Right.EXPORT_PAY,
    "center:sessions": Right.RUN_SESSIONS,
    "center:session-new": Right.RUN_SESSIONS,
    "center:session": Right.RUN_SESSIONS,
    "center:session-now": Right.RUN_SESSIONS,
    "center:session-controls": Right.RUN_SESSIONS,
    "center:same-person": Right.RUN_SESSIONS,
    "center:calls": Right.RUN_SESSIONS,
    "center:room-controls": Right.RUN_SESSIONS,
    "center:wall": Right.RUN_SESSIONS,
    "center:wall-events": Right.RUN_SESSIONS,
    "center:stations": Right.RUN_SESSIONS,
    "center:station": Right.RUN_SESSIONS,
    "center:schedule": Right.RUN_SESSIONS,
    "center:slot-now": Right.RUN_SESSIONS,
    "center:slots-new": Right.RUN_SESSIONS,
    "center:slot-pay": Right.ENTER_PAY,
    "center:slot": Right.RUN_SESSIONS,
    "center:roster": Right.RUN_SESSIONS,
    "insight:portfolio": Right.READ_BASELINES,
    "insight:portfolio-file": Right.READ_BASELINES,
    "insight:environment": Right.READ_BASELINES,
    "insight:environment-figure": Right.READ_BASELINES,
    "insight:environment-now": Right.READ_BASELINES,
    "insight:level": Right.READ_BASELINES,
    "insight:ends": Right.WATCH_ATTEMPTS,
    "insight:action-patterns": Right.READ_BASELINES,
    "insight:action-patterns-now": Right.READ_BASELINES,
    "insight:states": Right.READ_BASELINES,
    "insight:level-picture": Right.READ_BASELINES,
    "insight:versions": Right.READ_BASELINES,
    "insight:split": Right.READ_BASELINES,
    "insight:split-figure": Right.READ_BASELINES,
    "insight:internal-play": Right.PLAY_INTERNALLY,
    "insight:baseline": Right.READ_BASELINES,
    "insight:baselines": Right.READ_BASELINES,
    "insight:baseline-figure": Right.READ_BASELINES,
    "insight:board": Right.READ_BASELINES,
    "insight:redundancy": Right.READ_BASELINES,
    "studio:mask": Right.READ_BASELINES,
    "insight:sets": Right.READ_BASELINES,
    "insight:study": Right.READ_BASELINES,
    "insight:study-beside": Right.READ_BASELINES,
    "insight:study-now": Right.READ_BASELINES,
    "insight:study-figure": Right.READ_BASELINES,
    "insight:study-bar": Right.WATCH_ATTEMPTS,
    "insight:study-tasks": Right.READ_BASELINES,
    "insight:study-tasks-bar": Right.WATCH_ATTEMPTS,
    "insight:study-tasks-figure": Right.READ_BASELINES,
    "insight:plan": Right.READ_BASELINES,
    "insight:preregistration": Right.READ_BASELINES,
    "insight:report": Right.READ_SURVEYS,
    "insight:reports": Right.READ_SURVEYS,
    "insight:report-file": Right.READ_SURVEYS,
    "insight:preregistration-numbered": Right.READ_BASELINES,
    "insight:preregistration-file": Right.READ_BASELINES,
    "review:attempts": Right.WATCH_ATTEMPTS,
    "review:attempt": Right.WATCH_REPLAYS,
    "review:journal": Right.WATCH_REPLAYS,
    "review:recording": Right.WATCH_ATTEMPTS,
    "review:attempt-exports": Right.WATCH_ATTEMPTS,
    "review:exports": Right.WATCH_ATTEMPTS,
    "review:comments": Right.WATCH_REPLAYS,
    "review:others": Right.WATCH_REPLAYS,
    "review:collections": Right.WATCH_ATTEMPTS,
    "review:collection-choices": Right.WATCH_ATTEMPTS,
    "review:queue": Right.REVIEW_EFFORT,
    "review:case": Right.REVIEW_EFFORT,
    "review:agreement": Right.REVIEW_EFFORT,
    "review:decisions": Right.REVIEW_EFFORT,
    "review:data": Right.TAKE_DATA,
    "review:data-opening": Right.TAKE_DATA,
    "review:read-tokens": Right.TAKE_DATA,
    "review:signed-days": Right.TAKE_DATA,
    "review:signed-days-file": Right.TAKE_DATA,
    "review:withdrawal": Right.WITHDRAW,
    "studio:cards": Right.READ_BASELINES,
    "studio:card-new": Right.MANAGE_ENVIRONMENTS,
    "studio:card": Right.READ_BASELINES,
    "studio:card-edit": Right.MANAGE_ENVIRONMENTS,
    "studio:card-file": Right.MANAGE_ENVIRONMENTS,
    "studio:environment": Right.READ_BASELINES,
    "studio:environment-now": Right.READ_BASELINES,
    "studio:draft": Right.READ_BASELINES,
    "studio:edit": Right.MANAGE_ENVIRONMENTS,
    "studio:import": Right.IMPORT_ENVIRONMENTS,
    "studio:uploads": Right.UPLOAD_VERSIONS,
    "studio:upload-new": Right.UPLOAD_VERSIONS,
    "studio:random-play": Right.READ_BASELINES,
    "play:internal-play": Right.PLAY_INTERNALLY,
    "play:studies": Right.READ_BASELINES,
    "play:study-new": Right.MANAGE_STUDIES,
    "insight:study-imports": Right.MANAGE_STUDIES,
    "play:survey-edit": Right.MANAGE_STUDIES,
    "play:study-edit": Right.MANAGE_STUDIES,
    "play:protocol-versions": Right.READ_BASELINES,
    "play:protocol-file": Right.READ_BASELINES,
}
"""What can be opened, each with something in it."""
ABSENT: dict[str, Access] = {
    "review:solution": Right.UPLOAD_VERSIONS,
    "arena:key": Right.MANAGE_KEYS,
    "arena:run-notes": Right.WATCH_REPLAYS,
    "arena:card": Right.READ_BOARDS,
    "arena:export-file": Right.READ_BOARDS,
    "arena:dropped": Right.READ_BOARDS,
    "arena:dropped-journal": Right.READ_BOARDS,
    "center:pay-study": Right.ENTER_PAY,
    "center:pay-receipt": Right.ENTER_PAY,
    "center:pay-batch": Right.EXPORT_PAY,
    "center:pay-batch-file": Right.EXPORT_PAY,
    "insight:states-list": Right.READ_BASELINES,
    "insight:state": Right.READ_BASELINES,
    "insight:released-report": Right.READ_SURVEYS,
    "insight:release": Right.READ_BASELINES,
    "insight:release-inputs": Right.READ_BASELINES,
    "review:winning": Right.WATCH_REPLAYS,
    "review:stored-recording": Right.READ_BASELINES,
    "review:stored-recording-journal": Right.READ_BASELINES,
    "insight:study-source": Right.READ_BASELINES,
    "insight:study-import": Right.MANAGE_STUDIES,
    "studio:import-job": Right.IMPORT_ENVIRONMENTS,
    "studio:upload-job": Right.UPLOAD_VERSIONS,
    "studio:upload": Right.UPLOAD_VERSIONS,
    "studio:upload-source": Right.UPLOAD_VERSIONS,
    "studio:version-files": Right.UPLOAD_VERSIONS,
    "studio:solutions": Right.UPLOAD_VERSIONS,
    "arena:submission": Right.READ_BOARDS,
    "arena:submission-file": Right.READ_BOARDS,
    "studio:recording-change": Right.MANAGE_ENVIRONMENTS,
    "studio:qualification": Right.READ_BASELINES,
    "studio:exploration": Right.READ_BASELINES,
    "studio:exploration-graph": Right.READ_BASELINES,
    "review:end": Right.WATCH_REPLAYS,
    "review:picture": Right.WATCH_REPLAYS,
    "review:collection": Right.WATCH_ATTEMPTS,
    "review:export-file": Right.WATCH_ATTEMPTS,
}
"""What could be opened if it were there: it is not."""
ACTIONS: dict[str, Access] = {
    "arena:key-new": Right.MANAGE_KEYS,
    "arena:keys-sets": Right.MANAGE_KEYS,
    "arena:key-change": Right.MANAGE_KEYS,
    "arena:key-revoke": Right.MANAGE_KEYS,
    "arena:enter": Right.MANAGE_KEYS,
    "arena:entry-remove": Right.MANAGE_KEYS,
    "arena:entry-declare": Right.MANAGE_KEYS,
    "arena:harness-new": Right.MANAGE_KEYS,
    "arena:card-note": Right.READ_BOARDS,
    "arena:export-card": Right.READ_BOARDS,
    "arena:dropped-remove": Right.READ_BOARDS,
    "arena:holdout-draw": Right.MANAGE_KEYS,
    "arena:holdout-final": Right.MANAGE_KEYS,
    "arena:export-environment": Right.READ_BOARDS,
    **{f"center:session-{control}": Right.RUN_SESSIONS for control in CONTROLS},
    "center:session-pay": Right.ENTER_PAY,
    "center:pay-budget": Right.APPROVE_PAY,
    "center:pay-decide": Right.APPROVE_PAY,
    "center:pay-cash": Right.ENTER_PAY,
    "center:pay-cash-undone": Right.ENTER_PAY,
    "center:slot-cash": Right.ENTER_PAY,
    "center:slot-receipts": Right.ENTER_PAY,
    "center:pay-batch-sent": Right.EXPORT_PAY,
    "center:pay-batch-returned": Right.EXPORT_PAY,
    **{f"center:room-{control}": Right.RUN_SESSIONS for control in GROUP_CONTROLS},
    "center:station-new": Right.RUN_SESSIONS,
    "center:station-codes": Right.RUN_SESSIONS,
    "center:station-code": Right.RUN_SESSIONS,
    "center:station-retire": Right.RUN_SESSIONS,
    "center:roster-import": Right.RUN_SESSIONS,
    "center:roster-report": Right.RUN_SESSIONS,
    "center:slot-cancel": Right.RUN_SESSIONS,
    "center:slot-no-shows": Right.RUN_SESSIONS,
    "center:slot-cards": Right.RUN_SESSIONS,
    "center:slot-wait": Right.RUN_SESSIONS,
    "center:slot-walk-in": Right.RUN_SESSIONS,
    "center:slot-invite": Right.RUN_SESSIONS,
    "center:slot-invitations": Right.RUN_SESSIONS,
    "center:booking-code": Right.RUN_SESSIONS,
    "center:booking-no-show": Right.RUN_SESSIONS,
    "center:booking-cancel": Right.RUN_SESSIONS,
    "center:booking-move": Right.RUN_SESSIONS,
    "insight:release-new": Right.RELEASE_BASELINES,
    "insight:preregister": Right.MANAGE_STUDIES,
    "insight:report-answer": Right.MANAGE_STUDIES,
    "insight:study-import-cancel": Right.MANAGE_STUDIES,
    "insight:preregistration-registry": Right.MANAGE_STUDIES,
    "insight:board-move": Right.MANAGE_ENVIRONMENTS,
    "insight:redundancy-mark": Right.MANAGE_ENVIRONMENTS,
    "insight:redundancy-answer": Right.MANAGE_ENVIRONMENTS,
    "insight:sets-adopt": Right.MANAGE_ENVIRONMENTS,
    "play:internal-begin": Right.PLAY_INTERNALLY,
    "arena:submission-remove": Right.MANAGE_KEYS,
    "studio:load-shipped": Right.IMPORT_ENVIRONMENTS,
    "studio:card-save": Right.MANAGE_ENVIRONMENTS,
    "studio:card-begin": Right.MANAGE_ENVIRONMENTS,
    "studio:card-sign": Right.REVIEW_CARDS,
    "studio:card-withdraw": Right.REVIEW_CARDS,
    "studio:card-comment": Right.REVIEW_CARDS,
    "studio:waive": Right.MANAGE_ENVIRONMENTS,
    "studio:import-job-cancel": Right.IMPORT_ENVIRONMENTS,
    "studio:import-job-confirm": Right.IMPORT_ENVIRONMENTS,
    "studio:upload-job-cancel": Right.UPLOAD_VERSIONS,
    "studio:upload-approve": Right.IMPORT_ENVIRONMENTS,
    "studio:upload-decline": Right.IMPORT_ENVIRONMENTS,
    "studio:upload-withdraw": Right.UPLOAD_VERSIONS,
    "studio:mask-decide": Right.MANAGE_ENVIRONMENTS,
    "studio:recording-retype": Right.MANAGE_ENVIRONMENTS,
    "studio:recording-remove": Right.MANAGE_ENVIRONMENTS,
    "studio:qualify": Right.RUN_QUALIFICATION,
    "studio:qualification-repeat": Right.RUN_QUALIFICATION,
    "studio:qualification-cancel": Right.RUN_QUALIFICATION,
    "studio:explore": Right.RUN_QUALIFICATION,
    "studio:exploration-cancel": Right.RUN_QUALIFICATION,
    "studio:gather": Right.RUN_QUALIFICATION,
    "studio:random-play-start": Right.RUN_QUALIFICATION,
    "studio:random-play-cancel": Right.RUN_QUALIFICATION,
    "review:keep": Right.MANAGE_ENVIRONMENTS,
    "review:acknowledge": Right.WATCH_ATTEMPTS,
    "review:check": Right.WATCH_REPLAYS,
    "review:collect": Right.WATCH_ATTEMPTS,
    "review:collection-item": Right.WATCH_ATTEMPTS,
    "review:comment": Right.WATCH_REPLAYS,
    "review:export-cancel": Right.WATCH_ATTEMPTS,
    "review:reverse-void": Right.REVIEW_EFFORT,
    "review:decide": Right.REVIEW_EFFORT,
    "review:person-export": Right.TAKE_IDENTIFIED,
    "review:read-token-revoke": Right.TAKE_DATA,
    "review:decision-reverse": Right.REVIEW_EFFORT,
}
OF_CARDS = ("card", "replay", "journal", "notes")
OTHERS: dict[str, Access] = {
    **{f"arena:own-{name}": Audience.KEY for name in ("cards", "compare", "card-change", *OF_CARDS)},
    **{f"arena:shared-{name}": Audience.KEY for name in OF_CARDS},
    "arena:own-key": Audience.ANYONE,
    "arena:own-key-leave": Audience.ANYONE,
    "center:invitation": Audience.ANYONE,
    "center:station-register": Audience.ANYONE,
    "center:welcome": Audience.ANYONE,
    "rehearsal:try-out": Audience.ANYONE,
    "review:data-table": Audience.TOKEN,
    "people:sign-in": Audience.ANYONE,
    "people:second-step": Audience.ANYONE,
    "people:set-password": Audience.ANYONE,
    "people:sign-out": Audience.ANYONE,
    "people:dismiss-example": Audience.SIGNED_IN,
    "people:own-account": Audience.SIGNED_IN,
    "people:second-factor": Audience.SIGNED_IN,
    "people:handbook": Audience.SIGNED_IN,
    "people:help": Audience.SIGNED_IN,
    "people:terms": Audience.SIGNED_IN,
    "people:search": Audience.SIGNED_IN,
    "people:search-found": Audience.SIGNED_IN,
    "people:home": Audience.SIGNED_IN,
    "people:roles": Audience.SIGNED_IN,
    "play:board": Audience.SEAT,
    "play:call": Audience.SEAT,
    "play:debrief": Audience.ANYONE,
    "play:consent": Audience.SEAT,
    "play:page": Audience.ANYONE,
    "play:preview": Audience.SIGNED_IN,
    "play:session": Audience.SEAT,
    "play:survey": Audience.SEAT,
    "play:thanks": Audience.SEAT,
    "play:tutorial": Audience.SEAT,
}
"""What needs no right of a role."""
_PLAY = [UUID(int=0), 1]
ARGUMENTS: dict[str, list[Any]] = {
    **{f"arena:own-{name}": [UUID(int=0), *_PLAY] for name in OF_CARDS[1:]},
    **{f"arena:shared-{name}": ["nobodys", *_PLAY] for name in OF_CARDS[1:]},
    "arena:own-card": [UUID(int=0)],
    "arena:own-card-change": [UUID(int=0)],
    "arena:shared-card": ["nobodys"],
    "center:invitation": ["nobodys"],
    "people:set-password": ["MQ", "nobodys"],
    "play:preview": [0, "consent"],
    "review:data-table": [0, "attempts", "csv"],
}
METHODS = ("GET", "POST")
OTHER_METHODS = {"review:comment": ("PUT", "DELETE")}
"""Of the views that take neither."""
ROLES = [
    pytest.param(Role.LEAD, marks=pytest.mark.postgresql),
    *(Role.DESIGNER, Role.PROCTOR),
    *(pytest.param(role, marks=pytest.mark.long) for role in (Role.RESEARCHER, Role.ENGINEER)),
]
"""The lead, who may open the most, opens it on PostgreSQL, the others on SQLite. The last ones have few pages
that none of the others has; the test of the navigation opens what stands in theirs."""
NAMES = {
    "play:preview": "consent",
    "arena:boards-figure": "cost",
    "arena:task-board-figure": "cost",
    "arena:environment-figure": "progress",
    "insight:baseline-figure": "levels",
    "insight:environment-figure": "funnel",
    "insight:study-figure": "success",
    "insight:study-tasks-figure": "numbers",
    "insight:split-figure": "levels",
    "insight:study-bar": "time",
    "insight:study-tasks-bar": "time",
}
FORMATS = {
    "insight:preregistration-file": "json",
    "insight:report-file": "json",
}
NOBODYS = 10**9
"""The number of nothing."""


def all_addresses(patterns: Any = None, room: str = "") -> Iterator[tuple[str, URLPattern]]:
    """Every address by its name."""
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        if isinstance(pattern, URLResolver):
            yield from all_addresses(pattern.url_patterns, f"{pattern.namespace}:")
        else:
            yield f"{room}{pattern.name}", pattern


def staff_addresses() -> Iterator[tuple[str, URLPattern]]:
    """Those under /staff/."""
    return ((name, found) for name, found in all_addresses() if str(found.pattern).startswith("staff/"))


class World(NamedTuple):
    """Something for each of PAGES."""

    session: int
    attempt: int
    study: int
    decision: int
    slot: int
    participant: int
    play: int


@remembered
def world() -> World:
    session = make.session(make.study())
    attempt = make.play(session, [4, 4, 4])
    Station.objects.create(number=1, room="Room")
    create_card_of(Environment.objects.get(code="wk01"), staff(Role.LEAD))
    decision = decide(session, staff(Role.LEAD), DecisionKind.KEEP, "tried", "Tried all the time.")
    register(session.study, None, people=1, analysis="")
    tomorrow = now() + timedelta(days=1)
    slot = Slot.objects.create(
        study=session.study,
        starts_at=tomorrow,
        ends_at=tomorrow + timedelta(hours=2),
        capacity=5,
        created_at=now(),
    )
    play = make.play_internally(attempt.version, staff(Role.LEAD), [4], None)
    return World(
        session.pk, attempt.pk, session.study_id, decision.pk, slot.pk, session.participant_id, play.pk
    )


@pytest.fixture
def addresses() -> dict[str, str]:
    """Every staff address by its name, with something there for each of PAGES."""
    made = world()
    subjects = {
        "sessions": made.session,
        "attempts": made.attempt,
        "studies": made.study,
        "review": made.session,
        "schedule": made.slot,
        "wall": made.session,
        "participants": made.participant,
        "plays": made.play,
        "accounts": staff(Role.LEAD).pk,
    }

    def arguments(name: str, pattern: URLPattern) -> dict[str, Any]:
        folder = str(pattern.pattern).split("/")[1]
        known = {
            "pk": made.decision if name.startswith("review:decision-") else subjects.get(folder, NOBODYS),
            "code": "wk01",
            "first": "wk01",
            "second": "ck01",
            "number": 1,
            "item": "1.9",
            "key": "0" * 16,
            "uidb64": "MQ",
            "token": "nobodys",
            "name": NAMES.get(name, "none"),
            "format": FORMATS.get(name, "csv"),
            "day": "2000-01-01",
            "card_id": UUID(int=0),
            "dropped_id": UUID(int=0),
        }
        return {argument: known[argument] for argument in pattern.pattern.converters}

    return {name: reverse(name, kwargs=arguments(name, found)) for name, found in staff_addresses()}


TITLE, NOTE, ANSWER, REFERENCE = (f"marker-of-a-{kind}" for kind in ("title", "note", "answer", "reference"))


@pytest.fixture
def markers(addresses: dict[str, str]) -> None:
    """Marks what is not for everybody in the world of the tables."""
    session = Session.objects.get()
    session.participant.reference = REFERENCE
    session.participant.save()
    session.survey = Survey.objects.create(
        participant=session.participant, answers={"age": ANSWER, "puzzles": ANSWER}, answered_at=now()
    )
    session.save()
    environment = session.study.pool.get()
    environment.title, environment.note = TITLE, NOTE
    environment.save()


UNSEEN = {
    Role.DESIGNER: (ANSWER, REFERENCE),
    Role.ENGINEER: (ANSWER, REFERENCE),
    Role.PROCTOR: (TITLE, NOTE, ANSWER),
}
"""What a role must find on no page: the proctor's blindness, and the privacy of participants."""
SEEN = {
    Role.DESIGNER: {"insight:portfolio": TITLE, "studio:environment": TITLE},
    Role.PROCTOR: {"center:session": REFERENCE},
}
"""Where a role finds what another must not see."""


def other_addresses() -> dict[str, str]:
    """The address of each of OTHERS."""
    return {name: reverse(name, args=ARGUMENTS.get(name)) for name in OTHERS}


def answers(client: Client, address: str, methods: tuple[str, ...] = METHODS) -> list[Any]:
    """What it answers to each of these methods that it knows."""
    found = [client.generic(method, address) for method in methods]
    return [answer for answer in found if answer.status_code != 405]


def expected_access() -> dict[str, Access]:
    """Every row of the tables above."""
    return PAGES | ABSENT | ACTIONS | OTHERS


def test_every_page_declares_the_access_that_these_tables_expect() -> None:
    expected, wrong = expected_access(), []
    for page in access_table.pages():
        place = f"{page.name} ({page.address})"
        if page.access is None:
            wrong.append(f"{place}: declare its access with @requires or @declares")
        elif page.name not in expected:
            wrong.append(f"{place}: add a row for {page.access!r} to PAGES, ABSENT, ACTIONS or OTHERS")
        elif page.access != expected[page.name]:
            wrong.append(f"{place} declares {page.access!r}, but its row says {expected[page.name]!r}")
        if not page.does:
            wrong.append(f"{place}: its view needs a docstring, which /staff/roles/ shows")
    gone = set(expected) - {page.name for page in access_table.pages()}
    assert not wrong, "\n".join(wrong)
    assert gone == set(), "these rows have no page any more"


def test_a_form_of_another_site_is_refused(addresses: dict[str, str]) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(staff(Role.LEAD))
    for name, address in (addresses | other_addresses()).items():
        answer = client.post(address)
        assert (answer.status_code, "Content-Security-Policy" in answer) in ((403, True), (405, True)), name


def test_anonymous_visitors_are_sent_to_sign_in_and_back(addresses: dict[str, str]) -> None:
    sign_in = reverse("people:sign-in")
    seated = Client()
    seated.cookies["seat"] = "1.x"
    for name in PAGES | ABSENT | ACTIONS:
        found = answers(seated, addresses[name], OTHER_METHODS.get(name, METHODS))
        assert {answer["Location"] for answer in found} == {f"{sign_in}?next={addresses[name]}"}, name


def test_pages_of_the_signed_in_are_for_every_role_and_nobody_else(addresses: dict[str, str]) -> None:
    for name in (name for name, access in OTHERS.items() if access == Audience.SIGNED_IN):
        [stranger, *staff] = [
            one
            for client in (Client(), signed_in(Role.LEAD), signed_in(Role.PROCTOR))
            for one in answers(client, addresses[name], ("GET",))
            or answers(client, addresses[name], ("POST",))
        ]
        assert stranger["Location"].startswith(reverse("people:sign-in")), name
        assert {one.status_code for one in staff} <= {200, 302}, name


def test_pages_of_a_seat_are_for_no_member_of_staff(addresses: dict[str, str]) -> None:
    for name in (name for name, access in OTHERS.items() if access == Audience.SEAT):
        for client in (Client(), signed_in(Role.LEAD)):
            found = answers(client, reverse(name), (*METHODS, "PUT", "DELETE"))
            assert {answer.status_code for answer in found} == {302}, name
            assert {answer["Location"] for answer in found} <= {"/", reverse("play:session")}, name


def test_pages_of_a_key_ask_everybody_for_it_and_links_show_nothing_by_guessing() -> None:
    addresses = other_addresses()
    for name in (name for name in OTHERS if name.startswith("arena:own-") and OTHERS[name] == Audience.KEY):
        for client in (Client(), signed_in(Role.LEAD)):
            found = answers(client, addresses[name])
            assert {answer.status_code for answer in found} == {403}, name
            assert all(b"Enter the API key" in answer.content for answer in found), name
    for name in OF_CARDS:
        assert Client().get(addresses[f"arena:shared-{name}"]).status_code == 404, name


def test_every_method_is_refused_without_the_right(addresses: dict[str, str]) -> None:
    """To the proctor, who has the fewest rights; what the proctor may do, to the designer."""
    proctor, designer = signed_in(Role.PROCTOR), signed_in(Role.DESIGNER)
    for name, right in (PAGES | ABSENT | ACTIONS).items():
        role, client = (Role.DESIGNER, designer) if right in RIGHTS[Role.PROCTOR] else (Role.PROCTOR, proctor)
        assert right not in RIGHTS[role], name
        found = answers(client, addresses[name], OTHER_METHODS.get(name, METHODS))
        assert {answer.status_code for answer in found} == {403}, name
        assert all(b"right_missing" in answer.content for answer in found), name
        assert all(escape(right.label).encode() in answer.content for answer in found), name


@pytest.mark.usefixtures("markers")
@pytest.mark.parametrize("role", ROLES)
def test_pages_are_shown_to_the_roles_with_their_right_and_tell_no_more(
    role: Role, addresses: dict[str, str]
) -> None:
    client = signed_in(role)
    expected = {name: 200 for name, right in PAGES.items() if right in RIGHTS[role]}
    expected |= {name: 404 for name, right in ABSENT.items() if right in RIGHTS[role]}
    if Right.WATCH_ATTEMPTS not in RIGHTS[role]:  # `world` has a person's attempt
        replays = {name for name, right in (PAGES | ABSENT).items() if right == Right.WATCH_REPLAYS}
        expected |= dict.fromkeys(replays & set(expected), 403)
    if role == Role.DESIGNER:  # who does not own it
        expected["review:solution"] = 403
    if "play:internal-play" in expected and role != Role.LEAD:  # the play is the lead's
        expected["play:internal-play"] = 302
    found = {name: client.get(addresses[name]) for name in expected}
    assert {name: answer.status_code for name, answer in found.items()} == expected
    signed_in_ones = [name for name, access in OTHERS.items() if access == Audience.SIGNED_IN]
    found |= {name: client.get(addresses[name]) for name in signed_in_ones if name in addresses}
    assert SEEN.get(role, {}).keys() <= found.keys()
    for name, answer in found.items():
        text = answer.getvalue().decode(errors="replace")
        assert not [mark for mark in UNSEEN.get(role, ()) if mark in text], name
        assert SEEN.get(role, {}).get(name, "") in text, name
        if (
            name in expected
            and answer.status_code != 403
            and answer.context
            and "navigation" in answer.context
        ):
            assert len(current_pages(answer)) == 1, name


def test_a_get_request_changes_nothing(addresses: dict[str, str]) -> None:
    client = signed_in(Role.LEAD)
    found = {name: client.get(addresses[name]).status_code for name in ACTIONS}
    assert found == dict.fromkeys(ACTIONS, 405)


@pytest.mark.parametrize("role", list(Role))
def test_the_navigation_shows_what_the_role_may_open_and_nothing_else(role: Role) -> None:
    client = signed_in(role)
    home = client.get(reverse("people:home"))
    assert home.status_code == 200
    shown = [page["address"] for place in home.context["navigation"] for page in place["pages"]]
    if role in (Role.RESEARCHER, Role.ENGINEER):  # the test above opens those of the others
        assert {client.get(address).status_code for address in shown} == {200}
    assert shown == [reverse(page.url_name) for page in NAVIGATION if page.right in RIGHTS[role]]
    assert current_pages(home) == []


def current_pages(answer: Any) -> list[str]:
    """The entries of the navigation that a page shows as its own."""
    pages = [page for place in answer.context["navigation"] for page in place["pages"]]
    return [page["title"] for page in pages if page["current"]]
