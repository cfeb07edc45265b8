"""The quota counts people whose attempts count; the excluded and the voided are replaced."""

import re
from html import unescape
from pathlib import Path

import polars as pl
import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from playtest.center.interventions.services import void_attempt
from playtest.center.models import Void, VoidReason
from playtest.insight.requests import find_version
from playtest.insight.scope import Scope
from playtest.people.roles import Role
from playtest.play.models import Attempt, Session, Study
from playtest.play.sessions.attempts import open_next
from playtest.play.sessions.quota import candidates
from playtest.review.models import DecisionKind
from playtest.review.queries.attempts import VOIDED, attempts, filtered
from playtest.review.queries.exclusions import exclusions
from playtest.review.services.dataset import write_dataset
from playtest.review.services.decisions import reverse as take_back
from tests import make
from tests.insight.up_to_date import baseline_of
from tests.live.games import WALK
from tests.make import verdict
from tests.review.cases import TO_AND_FRO, settled
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def for_one() -> Study:
    return make.study(people=1)


@pytest.fixture
def seated(for_one: Study) -> Session:
    """Somebody who sat down while there was one."""
    return make.session(for_one)


@pytest.fixture
def only(for_one: Study, seated: Session) -> Attempt:
    """The one person the study wants; the next finds the quota full."""
    only = make.play(make.session(for_one), TO_AND_FRO, minutes_ago=30)
    assert people(for_one) == (1, 0)
    return only


def people(for_one: Study) -> tuple[int, int]:
    [candidate] = candidates(for_one)
    return candidate.counted, candidate.in_progress


@pytest.mark.services
def test_an_excluded_person_is_replaced_until_the_reversal(
    for_one: Study, seated: Session, only: Attempt
) -> None:
    assert open_next(seated) is None
    lead = staff(Role.LEAD)
    decision = settled(only.session, lead, DecisionKind.EXCLUDE_SESSION, "did_not_try")
    assert people(for_one) == (0, 0)
    take_back(decision.pk, lead, "mistake", "It was her twin.")
    assert people(for_one) == (1, 0)
    assert open_next(seated) is None
    settled(only.session, lead, DecisionKind.EXCLUDE_ATTEMPT, "idle", attempt_id=only.pk)
    assert open_next(seated) is not None
    assert people(for_one) == (0, 1)


@pytest.mark.parametrize(("from_seq", "counted"), [(31, 0), (32, 1)])
def test_who_is_cut_from_a_moment_on_counts_while_enough_actions_are_left(
    for_one: Study, only: Attempt, from_seq: int, counted: int
) -> None:
    settled(
        only.session,
        staff(Role.LEAD),
        DecisionKind.EXCLUDE_FROM,
        "disturbed",
        attempt_id=only.pk,
        from_seq=from_seq,
    )
    assert people(for_one) == (counted, 0)


def test_who_still_plays_in_an_excluded_session_takes_no_place(for_one: Study) -> None:
    session = make.session(for_one)
    make.play(session, TO_AND_FRO, None)
    assert people(for_one) == (0, 1)
    settled(session, staff(Role.LEAD), DecisionKind.EXCLUDE_SESSION, "did_not_try")
    assert people(for_one) == (0, 0)


def test_a_new_version_is_played_by_as_many_people_again(
    for_one: Study, seated: Session, only: Attempt
) -> None:
    version = only.version
    version.pk, version.digest = None, "f" * 64
    version.save()
    only.environment.current = version
    only.environment.save()
    assert people(for_one) == (0, 0)
    assert open_next(only.session) is None, "nobody meets an environment twice, whatever its version"
    assert open_next(seated) is not None
    assert people(for_one) == (0, 1)


def test_the_quota_is_still_counted_in_one_query_for_all_environments(for_one: Study, only: Attempt) -> None:
    settled(only.session, staff(Role.LEAD), DecisionKind.EXCLUDE_SESSION, "did_not_try")
    assert exclusions().sessions
    with CaptureQueriesContext(connection) as asked:
        candidates(for_one)
    assert len(asked) == 3, "the people, the links of records, and the pool with all counts"


LONG_WAY = [*[2] * 30, *WALK[:6]]
"""Completes two levels, the first with thirty wasted actions."""
WHY = f"voided by staff: {VoidReason.DISTURBED.label}"


@pytest.fixture
def study() -> Study:
    return make.study(name="Spring", people=1)


@pytest.fixture
def waiting(study: Study) -> Session:
    """Somebody who sat down while there was a place."""
    return make.session(study)


@pytest.fixture
def attempt(study: Study, waiting: Session) -> Attempt:
    return make.play(make.session(study), LONG_WAY, minutes_ago=30)


def void(attempt: Attempt) -> Void:
    return void_attempt(attempt, staff(Role.PROCTOR), VoidReason.DISTURBED, "Ann felt sick")


def reverse_void(client: Client, void: Void, text: str = "she had finished", **changes: object) -> str:
    """Presses the button on the attempt's page; returns the page that follows."""
    address = reverse("review:reverse-void", args=[void.attempt_id])
    answer = client.post(address, {"void": void.pk, "text": text} | changes, follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


def baseline(*, with_excluded: bool = False) -> tuple[int, ...]:
    report = baseline_of(find_version("wk01"), Scope(with_excluded=with_excluded))
    return report.levels[0].baseline.actions


def test_it_takes_no_place_and_is_in_no_baseline_until_the_void_is_reversed(
    study: Study, waiting: Session, attempt: Attempt
) -> None:
    assert ([one.counted for one in candidates(study)], baseline()) == ([1], (33,))
    made = void(attempt)
    assert ([one.counted for one in candidates(study)], baseline()) == ([0], ())
    assert verdict(attempt.environment).people == 0
    assert baseline(with_excluded=True) == (33,)
    page = reverse_void(signed_in(Role.RESEARCHER), made)
    assert "Counts as an attempt." in page
    assert "Voided by staff" not in page
    assert ([one.counted for one in candidates(study)], baseline()) == ([1], (33,))
    assert open_next(waiting) is None


def test_a_void_covers_what_reviewers_cut_and_leaves_their_decision(study: Study, attempt: Attempt) -> None:
    lead = staff(Role.LEAD)
    settled(attempt.session, lead, DecisionKind.EXCLUDE_FROM, "disturbed", attempt_id=attempt.pk, from_seq=35)
    made = void(attempt)
    found = exclusions().attempts[attempt.pk]
    assert (found.from_seq, found.reason, found.why) == (0, "voided_disturbed", WHY)
    reverse_void(signed_in(Role.LEAD), made)
    assert exclusions().attempts[attempt.pk].from_seq == 35


def test_the_page_says_who_voided_it_and_only_reviewers_reverse_it(attempt: Attempt) -> None:
    made = void(attempt)
    address = reverse("review:attempt", args=[attempt.pk])
    designer, reviewer = signed_in(Role.DESIGNER), signed_in(Role.RESEARCHER)
    pages = [client.get(address).content.decode() for client in (designer, reviewer)]
    for page in pages:
        assert f"<strong>V{WHY[1:]}.</strong> “Ann felt sick” By proctor" in page
        assert "By the protocol it counts as an attempt." in page
    assert ["Reverse void" in page for page in pages] == [False, True]
    button = reverse("review:reverse-void", args=[attempt.pk])
    assert designer.post(button, {"void": made.pk, "text": "no"}).status_code == 403
    assert exclusions().attempts


def test_a_reversal_needs_a_text_and_is_made_once(attempt: Attempt) -> None:
    made, client = void(attempt), signed_in(Role.LEAD)
    assert "text_missing" in reverse_void(client, made, "  ")
    assert exclusions().attempts
    assert "part of the results again" in reverse_void(client, made)
    assert "reversed_already" in reverse_void(client, made)
    other = void(make.play(make.session(make.study(name="Autumn")), [4]))
    for given in (other.pk, "x", "", "9" * 30):
        answer = client.post(reverse("review:reverse-void", args=[attempt.pk]), {"void": given, "text": "no"})
        assert answer.status_code == 404, given
    again = void(attempt)
    assert (again.pk != made.pk, exclusions().attempts[attempt.pk].why) == (True, WHY)


def test_reviewers_are_led_to_the_voided_attempts(attempt: Attempt) -> None:
    make.play(make.session(make.study(name="Autumn")), [4])
    void(attempt)
    assert list(filtered(attempts(), excluded=VOIDED)) == [attempt]
    client = signed_in(Role.RESEARCHER)
    assert "1 attempt voided by staff</a>" in client.get(reverse("review:queue")).content.decode()
    case = client.get(reverse("review:case", args=[attempt.session_id])).content.decode()
    assert '<span class="tag">voided by staff</span>' in case
    shown = client.get(reverse("review:attempts"), {"excluded": "voided"}).content.decode()
    assert f"excluded: {WHY}" in shown


def test_the_study_counts_it_apart(study: Study, attempt: Attempt) -> None:
    address = reverse("insight:study", args=[study.pk])
    assert "Nobody is excluded." in signed_in(Role.RESEARCHER).get(address).content.decode()
    void(attempt)
    page = signed_in(Role.RESEARCHER).get(address).content.decode()
    assert "1 excluded attempt is not counted." in page
    assert "Staff voided 1 of these." in page
    found = re.search('href="([^"]*)">Who and why</a>', page)
    assert found is not None
    listed = signed_in(Role.RESEARCHER).get(unescape(found[1])).content.decode()
    assert f"excluded: {WHY}" in listed


def test_the_reason_is_in_baselines_and_exports(study: Study, attempt: Attempt, tmp_path: Path) -> None:
    void(attempt)
    report = baseline_of(find_version("wk01"), Scope())
    assert report.people[0].runs[0].why_out == WHY
    write_dataset(study, tmp_path, "parquet", identified=False)
    (row,) = pl.read_parquet(tmp_path / "attempts.parquet").to_dicts()
    assert (row["excluded_from"], row["excluded_why"], row["counted"]) == (0, "voided_disturbed", True)
