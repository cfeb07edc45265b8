"""Creating and changing a study; its results are in tests/insight/test_study_*.py."""

from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from playtest.people.roles import Role
from playtest.play.errors import Refusal
from playtest.play.models import Study, StudyChange
from playtest.play.services.studies import change_study, create_study
from tests import sittings
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def researcher() -> Client:
    return signed_in(Role.RESEARCHER)


def form(**changes: Any) -> dict[str, Any]:
    return {
        "name": "Pilot",
        "pool": [sittings.environment().pk],
        "soft_minutes": "20",
        "hard_minutes": "30",
        "session_minutes": "90",
        "target_people": "10",
        "fee": "115.00",
        "bonus": "5.00",
        "consent_text": "You may stop at any time.",
        "open": "on",
    } | changes


def errors(client: Client, **changes: Any) -> set[str]:
    """The codes shown for a form that is sent with these changes."""
    answer = client.post(reverse("play:study-new"), form(**changes))
    assert answer.status_code == 200
    found = {
        error.code for problems in answer.context["form"].errors.as_data().values() for error in problems
    }
    assert all(f"<code>{code}</code>" in answer.content.decode() for code in found)
    return found


def test_the_list_says_how_to_begin(researcher: Client) -> None:
    page = researcher.get(reverse("play:studies")).content.decode()
    assert "There are no studies yet" in page
    assert reverse("play:study-new") in page
    assert (
        "There are no environments for its pool yet"
        in researcher.get(reverse("play:study-new")).content.decode()
    )


def test_a_study_is_created_as_the_form_says(researcher: Client) -> None:
    answer = researcher.post(reverse("play:study-new"), form(soft_minutes="0.5", rehearsal="on"))
    study = Study.objects.get()
    assert answer["Location"] == reverse("insight:study", args=[study.pk])
    assert (study.soft_seconds, study.hard_seconds, study.session_seconds) == (30, 1800, 5400)
    assert (study.fee, study.bonus, study.target_people) == (Decimal("115.00"), Decimal("5.00"), 10)
    assert (study.open, study.rehearsal) == (True, True)
    assert study.created_by == staff(Role.RESEARCHER)
    assert [environment.code for environment in study.pool.all()] == ["wk01"]


def test_a_new_form_offers_the_protocol(researcher: Client) -> None:
    given = researcher.get(reverse("play:study-new")).context["form"]
    sittings.environment()
    assert [words for _, words in given.fields["pool"].choices] == ["wk01 (in Specification)"]
    offered = {
        name: given[name].value() for name in ("soft_minutes", "hard_minutes", "session_minutes", "fee")
    }
    assert offered == {
        "soft_minutes": 20,
        "hard_minutes": 30,
        "session_minutes": 90,
        "fee": Decimal("115.00"),
    }
    assert "Taking part is voluntary" in given["consent_text"].value()


@pytest.mark.parametrize(
    ("code", "changes"),
    [
        ("required", {"name": ""}),
        ("required", {"pool": []}),
        ("required", {"consent_text": ""}),
        ("invalid_choice", {"pool": [10**9]}),
        ("soft_limit_after_hard", {"soft_minutes": "31"}),
        ("min_value", {"hard_minutes": "0"}),
        ("max_value", {"session_minutes": "100000"}),
        ("min_value", {"target_people": "0"}),
        ("min_value", {"fee": "-1"}),
        ("max_decimal_places", {"bonus": "5.001"}),
        ("invalid", {"fee": "NaN"}),
        ("invalid", {"effort": "no_op_share = 0.7"}),
        ("effort_thresholds_malformed", {"effort": "[0.7]"}),
        ("effort_threshold_unknown", {"effort": '{"no_op": 0.7}'}),
        ("effort_threshold_invalid", {"effort": '{"no_op_share": NaN}'}),
        ("effort_thresholds_crossed", {"effort": '{"response_strong_below": 0.95}'}),
    ],
)
def test_a_mistake_is_answered_with_its_code(researcher: Client, code: str, changes: dict[str, Any]) -> None:
    assert errors(researcher, **changes) == {code}
    assert not Study.objects.exists()


@pytest.mark.services
def test_two_studies_cannot_have_one_name(researcher: Client) -> None:
    researcher.post(reverse("play:study-new"), form())
    assert errors(researcher) == {"name_taken"}
    assert Study.objects.count() == 1


@pytest.mark.parametrize(
    ("code", "settings"),
    [
        ("limit_not_positive", {"soft_seconds": 0}),
        ("soft_limit_after_hard", {"soft_seconds": 1801}),
        ("target_not_positive", {"target_people": 0}),
        ("amount_invalid", {"fee": Decimal("-1")}),
        ("effort_threshold_invalid", {"effort": {"no_op_share": 2}}),
    ],
)
def test_the_service_refuses_what_the_rules_refuse(code: str, settings: dict[str, Any]) -> None:
    with pytest.raises(Refusal) as raised:
        create_study(None, name="Pilot", pool=[sittings.environment()], **settings)
    assert raised.value.code == code


def test_a_study_needs_an_environment() -> None:
    with pytest.raises(Refusal) as raised:
        change_study(sittings.study(), pool=[])
    assert raised.value.code == "pool_empty"


def test_changing_a_study_starts_from_what_it_is(researcher: Client) -> None:
    study = sittings.study(soft_seconds=90, name="Pilot")
    address = reverse("play:study-edit", args=[study.pk])
    given = researcher.get(address).context["form"]
    assert (given["soft_minutes"].value(), given["hard_minutes"].value()) == ("1.5", "30")
    researcher.post(address, form(soft_minutes="2", fee="120"))
    study.refresh_from_db()
    assert (study.soft_seconds, study.fee) == (120, Decimal("120.00"))


@pytest.mark.services
def test_effort_thresholds_of_a_study_are_kept_and_offered_again(researcher: Client) -> None:
    researcher.post(reverse("play:study-new"), form(effort='{"no_op_share": 0.7}'))
    study = Study.objects.get()
    assert study.effort == {"no_op_share": 0.7}
    address = reverse("play:study-edit", args=[study.pk])
    assert researcher.get(address).context["form"]["effort"].value() == '{"no_op_share": 0.7}'
    researcher.post(address, form(effort=""))
    study.refresh_from_db()
    assert study.effort == {}


@pytest.mark.services
def test_changing_warns_about_sessions_under_way(researcher: Client) -> None:
    session = sittings.sit_down(sittings.study())
    page = researcher.get(reverse("play:study-edit", args=[session.study_id])).content.decode()
    assert "also for the 1 session that has not ended" in page


def test_who_may_not_change_studies_may_list_them() -> None:
    study = sittings.study()
    page = signed_in(Role.ENGINEER).get(reverse("play:studies")).content.decode()
    assert reverse("insight:study", args=[study.pk]) in page
    assert reverse("play:study-new") not in page


REASON = "The pilot showed that ten minutes are enough."


def with_session(**settings: Any) -> Study:
    """A study in which somebody sits."""
    return sittings.sit_down(sittings.study(name="Pilot", **settings)).study


def change(study: Study, **settings: Any) -> None:
    change_study(study, pool=list(study.pool.all()), **settings)


def refused(study: Study, **settings: Any) -> str:
    """The code; nothing is changed, nothing written down."""
    before = Study.objects.values().get(pk=study.pk)
    with pytest.raises(Refusal) as raised:
        change(study, **settings)
    assert Study.objects.values().get(pk=study.pk) == before
    assert not StudyChange.objects.exists()
    return raised.value.code


@pytest.mark.services
@pytest.mark.parametrize("rehearsal", [False, True])
def test_whether_it_is_a_rehearsal_is_fixed_with_the_first_session(rehearsal: bool) -> None:
    study = sittings.study(rehearsal=rehearsal)
    change(study, rehearsal=not rehearsal)
    assert Study.objects.get().rehearsal is not rehearsal
    sittings.sit_down(study)
    assert refused(study, rehearsal=rehearsal, reason=REASON) == "rehearsal_fixed"


@pytest.mark.services
@pytest.mark.parametrize(
    "settings",
    [
        {"soft_seconds": 600},
        {"hard_seconds": 2700},
        {"session_seconds": 600},
        {"target_people": 5},
        {"fee": Decimal("1")},
        {"bonus": Decimal("1")},
        {"consent_text": "Other words."},
        {"effort": {"fast_share": 1}},
    ],
    ids=lambda settings: next(iter(settings)),
)
def test_a_change_after_the_first_session_needs_a_reason_and_is_kept(settings: dict[str, Any]) -> None:
    study = with_session()
    assert refused(study, **settings) == "reason_missing"
    assert refused(Study.objects.get(), reason="too short", **settings) == "reason_missing"
    assert refused(Study.objects.get(), reason="x" * 2_001, **settings) == "reason_too_long"
    change(Study.objects.get(), staff=staff(Role.LEAD), reason=f"  {REASON} ", **settings)
    kept = StudyChange.objects.get()
    assert (kept.changed_by, kept.reason, kept.sessions, kept.under_way) == (staff(Role.LEAD), REASON, 1, 1)
    assert list(kept.before) == list(kept.after) == list(settings)
    assert kept.before != kept.after


def test_a_change_of_the_pool_needs_a_reason() -> None:
    study = with_session()
    pool = [*study.pool.all(), sittings.environment("rn01")]
    with pytest.raises(Refusal) as raised:
        change_study(study, pool=pool)
    assert raised.value.code == "reason_missing"
    assert study.pool.count() == 1
    change_study(study, pool=pool, reason=REASON)
    assert StudyChange.objects.get().before == {"pool": ["wk01"]}
    assert StudyChange.objects.get().after == {"pool": ["rn01", "wk01"]}


def test_before_the_first_session_and_for_name_and_opening_no_reason_is_needed() -> None:
    study = sittings.study()
    change(study, hard_seconds=2700)
    sittings.sit_down(study)
    change(study, name="Renamed", open=False)
    change(study, hard_seconds=2700, fee=Decimal("115"), effort={})
    assert not StudyChange.objects.exists()


def test_the_form_says_why_rehearsal_is_fixed_and_asks_for_a_reason(researcher: Client) -> None:
    study = with_session()
    address = reverse("play:study-edit", args=[study.pk])
    assert "Fixed since the first session" in researcher.get(address).content.decode()
    answer = researcher.post(address, form(hard_minutes="45"))
    assert "<code>reason_missing</code>" in answer.content.decode()
    answer = researcher.post(address, form(rehearsal="on", reason=REASON))
    assert "<code>rehearsal_fixed</code>" in answer.content.decode()
    assert researcher.post(address, form(hard_minutes="45", reason=REASON)).status_code == 302
    study.refresh_from_db()
    assert (study.hard_seconds, study.rehearsal) == (2700, False)
    assert StudyChange.objects.get().changed_by == staff(Role.RESEARCHER)


def test_the_form_sent_as_it_was_shown_changes_nothing(researcher: Client) -> None:
    """Limits that are no tenth of a minute, and a browser's line ends, are no changes."""
    study = with_session(soft_seconds=50, consent_text="One.\n\nTwo.")
    address = reverse("play:study-edit", args=[study.pk])
    given = researcher.get(address).context["form"]
    sent = form(soft_minutes=given["soft_minutes"].value(), consent_text="One.\r\n\r\nTwo.")
    assert researcher.post(address, sent).status_code == 302
    study.refresh_from_db()
    assert (study.soft_seconds, study.consent_text) == (50, "One.\n\nTwo.")


def test_the_studys_page_lists_what_was_changed(researcher: Client) -> None:
    study = with_session()
    page = reverse("insight:study", args=[study.pk])
    assert "while there were sessions" not in researcher.get(page).content.decode()
    change(study, staff=staff(Role.LEAD), reason=REASON, hard_seconds=2700, effort={"fast_share": 1})
    shown = researcher.get(page).content.decode()
    assert "Settings were changed 1 time while there were sessions." in shown
    assert "hard limit: 30:00 min → 45:00 min" in shown
    assert "effort thresholds: {} → {&quot;fast_share&quot;: 1}" in shown
    assert REASON in shown


def test_a_rehearsal_keeps_its_mark_through_the_form(researcher: Client) -> None:
    study = with_session(rehearsal=True)
    address = reverse("play:study-edit", args=[study.pk])
    assert researcher.post(address, form(name="Other", consent_text=study.consent_text)).status_code == 302
    study.refresh_from_db()
    assert (study.name, study.rehearsal) == ("Other", True)
