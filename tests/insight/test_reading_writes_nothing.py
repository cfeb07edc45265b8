"""Pages are up to date, no query writes, and an invalid number is answered like an unknown one."""

import re
import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import NoReverseMatch, reverse

from playtest.insight.compute.results import bring_up_to_date
from playtest.insight.models import LevelResult, Summary
from playtest.insight.pages.environment.figures import PAGE
from playtest.insight.requests import find_version
from playtest.insight.services.releases import release
from playtest.insight.urls import urlpatterns as insight_pages
from playtest.people.roles import Role
from playtest.play.clock import now
from playtest.play.models import Attempt, Study
from playtest.review.models import DecisionKind
from playtest.review.urls import urlpatterns as review_pages
from playtest.rules.attempt import Outcome
from tests import make
from tests.insight.stages import newer_version
from tests.live.games import WALK
from tests.review.cases import settled
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]


WRITES = re.compile(r"\s*(INSERT|UPDATE|DELETE|REPLACE)\b", re.IGNORECASE)
READS = re.compile(
    r"playtest\.(\w+\.queries|insight\.(results|environment|baseline|study|portfolio|pipeline))\b"
)
SECRET = re.compile(r'(name="(?:csrfmiddlewaretoken|form_token)" value|nonce)="[^"]*"')


@pytest.fixture
def study() -> Study:
    """A study with a solver, a partial exclusion, an open attempt and a release.

    Somebody has solved a newer version, too.
    """
    study = make.study(people=100)
    make.play(make.session(study), [*[2] * 31, *WALK], Outcome.COMPLETED)
    cut = make.play(make.session(study), [*[2] * 33, *WALK], Outcome.COMPLETED)
    settled(
        cut.session, staff(Role.LEAD), DecisionKind.EXCLUDE_FROM, "disturbed", attempt_id=cut.pk, from_seq=36
    )
    release(find_version("wk01"), staff(Role.LEAD), "For a test.", provisional=True)
    make.play(make.session(study), [4, 4, 4, 2], None)
    newer_version(make.environment())
    make.play(make.session(study), WALK, Outcome.COMPLETED)
    make.environment("ck01")
    return study


def addresses(study: Study) -> list[str]:
    """Returns every address of insight and review that this study can fill."""
    attempt = Attempt.objects.earliest("pk")
    known = {"code": "wk01", "number": 1, "pk": study.pk}
    found = []
    for room, patterns in (("insight", insight_pages), ("review", review_pages)):
        for pattern in patterns:
            wanted = pattern.pattern.converters
            given: dict[str, Any] = {name: value for name, value in known.items() if name in wanted}
            if room == "review" and "pk" in wanted:
                given["pk"] = attempt.session_id if "staff/review/" in str(pattern.pattern) else attempt.pk
            try:
                found.append(reverse(f"{room}:{pattern.name}", kwargs=given))
            except NoReverseMatch:
                continue
    version = f"?version={attempt.version.digest}"
    return [
        *(address + version if "/wk01/" in address else address for address in found),
        *(f"/staff/environments/wk01/figures/{name}.json{version}" for name in PAGE),
        *(f"/staff/studies/{study.pk}/figures/{name}.csv" for name in ("success", "efficiency", "survey")),
        f"/staff/environments/wk01/baseline/figures/people.csv{version}",
        f"/staff/environments/wk01/figures/dwell-1.json{version}",
        "/staff/redundancy/?first=ck01&second=wk01",
        f"/staff/studies/{study.pk}/figures/time/0/?group=solved",
    ]


def readers(frame: FrameType | None) -> Iterator[str]:
    """Returns the modules on the stack that must only read."""
    while frame is not None:
        name = frame.f_globals.get("__name__", "")
        if READS.match(name) and not name.endswith("views"):
            yield name
        frame = frame.f_back


@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.long)])
def test_no_query_writes(study: Study, every: int) -> None:
    lead = signed_in(Role.LEAD)
    written: list[str] = []
    wrong: list[tuple[str, str]] = []

    def watch(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if WRITES.match(sql):
            written.append(sql)
            wrong.extend((sql, name) for name in readers(sys._getframe()))
        return execute(sql, *rest)

    read = 0
    with connection.execute_wrapper(watch):
        for address in addresses(study)[::every]:
            forget_results()
            read += lead.get(address).status_code == 200
    assert wrong == []
    assert any(LevelResult._meta.db_table in sql for sql in written), "pages bring results up to date"
    assert read >= 30 / every


@pytest.mark.long
def test_a_page_does_not_depend_on_an_earlier_update_by_a_worker(study: Study) -> None:
    lead = signed_in(Role.LEAD)
    pages = addresses(study)
    bring_up_to_date(Attempt.objects.all())
    found = {}
    with make.at(now()):  # a page may say how long ago something was
        expected = {address: body(lead, address) for address in pages}
        for address in pages:
            forget_results()
            found[address] = body(lead, address)
    assert [address for address in pages if found[address] != expected[address]] == []


def forget_results() -> None:
    LevelResult.objects.all().delete()
    Summary.objects.all().delete()


def body(client: Client, address: str) -> str:
    return SECRET.sub("", client.get(address).content.decode(errors="replace"))


NUMBERS = ["9" * 4301, "9" * 25, "²"]


@pytest.fixture
def attempt() -> Attempt:
    return make.play(make.session(make.study()), [4, 4, 4])


def test_no_page_fails_for_an_invalid_number(lead: Client, attempt: Attempt) -> None:
    found = {
        (number, address): lead.get(address, fields).status_code
        for number in NUMBERS
        for address, fields in {
            "/staff/environments/wk01/": {"study": number},
            "/staff/environments/": {"study": number},
            "/staff/attempts/": {"environment": number, "page": number},
            "/staff/review/": {"after": number},
            f"/staff/attempts/{attempt.pk}/": {"item": number},
            f"/staff/environments/wk01/figures/dwell-{number}.json": {"version": number},
        }.items()
    }
    for number in NUMBERS:
        answer = lead.post("/staff/environments/wk01/releases/", {"number": number, "note": "why"})
        found[number, "release"] = answer.status_code
    assert set(found.values()) <= {200, 302, 404, 409}, found


@pytest.mark.parametrize("address", ["comments", "collect"])
def test_a_json_address_refuses_a_form(lead: Client, attempt: Attempt, address: str) -> None:
    body = '--part\r\nContent-Disposition: form-data; name="seq"\r\n\r\n1\r\n--part--\r\n'
    for kind in ("multipart/form-data; boundary=part", "application/x-www-form-urlencoded", "text/plain", ""):
        answer = lead.post(f"/staff/attempts/{attempt.pk}/{address}/", body, content_type=kind)
        assert (answer.status_code, answer.json()["code"]) == (415, "json_required"), kind
