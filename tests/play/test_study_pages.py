"""Creating and changing a study; its results are in tests/insight/test_study_*.py."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from playtest.people.roles import Role
from playtest.play.errors import Refusal
from playtest.play.models import ProtocolVersion, Study
from playtest.play.sessions.studies import change_study, create_study
from playtest.rules.pipeline import Stage
from playtest.studio.models import Environment
from tests import make
from tests.protocols import prescribed
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

REASON = "The pilot showed that ten minutes are enough."


@pytest.fixture
def researcher() -> Client:
    return signed_in(Role.RESEARCHER)


def played_by_people() -> Environment:
    """wk01 in External."""
    found = make.environment()
    Environment.objects.filter(pk=found.pk).update(stage=Stage.EXTERNAL)
    return found


def form(**changes: Any) -> dict[str, Any]:
    return {
        "name": "Pilot",
        "pool": [played_by_people().pk],
        "soft_minutes": "20",
        "hard_minutes": "30",
        "session_minutes": "90",
        "away_seconds": "300",
        "away_times": "20",
        "people": "10",
        "solvers": "2",
        "more_than_actions": "30",
        "less_than_minutes": "30",
        "fee": "115.00",
        "bonus": "5.00",
        "consent_text": "You may stop at any time.",
        "debrief": "on",
        "review_percent": "10",
        "smallest_group": "5",
        "large_in_fees": "2",
        "tries": "2",
        "most_submissions": "2",
        "view_seconds": "5",
        "feedback": "on",
        "going_back": "on",
        "undo_counts": "on",
        "open": "on",
    } | changes


def edited(study: Study, **changes: Any) -> dict[str, Any]:
    """Returns the form filled from the study's newest version."""
    return form(edition=study.newest_version.edition, **{"review_percent": "0"} | changes)


def errors(client: Client, **changes: Any) -> set[str]:
    """Sends a form with these changes and returns the codes shown."""
    answer = client.post(reverse("play:study-new"), form(**changes))
    assert answer.status_code == 200
    found = {
        error.code for problems in answer.context["form"].errors.as_data().values() for error in problems
    }
    assert all(f"<code>{code}</code>" in answer.content.decode() for code in found)
    return found


def test_an_empty_list_of_studies_explains_how_to_begin(researcher: Client) -> None:
    page = researcher.get(reverse("play:studies")).content.decode()
    assert "There are no studies yet" in page
    assert reverse("play:study-new") in page
    assert (
        "No environment is in External or Done yet"
        in researcher.get(reverse("play:study-new")).content.decode()
    )


def test_a_study_is_created_with_the_values_of_the_form(researcher: Client) -> None:
    answer = researcher.post(reverse("play:study-new"), form(soft_minutes="0.5", rehearsal="on"))
    study = Study.objects.get()
    assert answer["Location"] == reverse("insight:study", args=[study.pk])
    assert study.protocol == prescribed(
        soft_seconds=30, consent_text="You may stop at any time.", environments=("wk01",)
    )
    assert (study.open, study.rehearsal) == (True, True)
    assert study.created_by == staff(Role.RESEARCHER)
    assert [environment.code for environment in study.pool.all()] == ["wk01"]


def test_a_new_form_has_the_default_protocol(researcher: Client) -> None:
    given = researcher.get(reverse("play:study-new")).context["form"]
    played_by_people()
    assert [strip_tags(label) for _, label in given.fields["pool"].choices] == ["wk01 (in External)"]
    offered = {
        name: given[name].value() for name in ("soft_minutes", "hard_minutes", "session_minutes", "fee")
    }
    assert offered == {
        "soft_minutes": "20",
        "hard_minutes": "30",
        "session_minutes": "90",
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
        ("min_value", {"people": "0"}),
        ("min_value", {"solvers": "0"}),
        ("min_value", {"more_than_actions": "-1"}),
        ("min_value", {"less_than_minutes": "0"}),
        ("required", {"consent_text": "   "}),
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
def test_an_invalid_form_is_answered_with_a_code(
    researcher: Client, code: str, changes: dict[str, Any]
) -> None:
    assert errors(researcher, **changes) == {code}
    assert not Study.objects.exists()


@pytest.mark.services
def test_two_studies_cannot_have_one_name(researcher: Client) -> None:
    researcher.post(reverse("play:study-new"), form())
    assert errors(researcher) == {"name_taken"}
    assert Study.objects.count() == 1


def test_a_study_needs_an_environment() -> None:
    with pytest.raises(Refusal) as raised:
        change_study(make.study(), pool=[])
    assert raised.value.code == "pool_empty"


def test_a_study_of_real_people_takes_nothing_before_external() -> None:
    early = make.environment()
    study = make.study(pool=[make.as_external(early)])
    change_study(study, pool=[early])  # what is in it stays
    joining = [early, make.environment("rn01")]
    refusals: list[Callable[[], object]] = [
        lambda: create_study(None, name="A", pool=[early]),
        lambda: change_study(study, pool=joining),
    ]
    for refused in refusals:
        with pytest.raises(Refusal) as raised:
            refused()
        assert raised.value.code == "pool_too_early"
    create_study(None, name="A", pool=[early], rehearsal=True)


def test_the_form_of_a_study_has_its_current_values(researcher: Client) -> None:
    study = make.study(soft_seconds=90, name="Pilot")
    address = reverse("play:study-edit", args=[study.pk])
    given = researcher.get(address).context["form"]
    assert (given["soft_minutes"].value(), given["hard_minutes"].value()) == ("1.5", "30")
    researcher.post(address, edited(study, soft_minutes="2", fee="120"))
    assert (study.protocol.limits.soft_seconds, study.protocol.pay.fee) == (120, Decimal("120.00"))


def test_effort_thresholds_of_a_study_are_stored_and_shown_again(researcher: Client) -> None:
    researcher.post(reverse("play:study-new"), form(effort='{"no_op_share": 0.7}'))
    study = Study.objects.get()
    assert study.protocol.effort.changes == {"no_op_share": 0.7}
    address = reverse("play:study-edit", args=[study.pk])
    assert researcher.get(address).context["form"]["effort"].value() == '{"no_op_share": 0.7}'
    researcher.post(address, edited(study, effort=""))
    assert study.protocol.effort.changes == {}


def test_staff_without_the_right_to_change_studies_can_list_them() -> None:
    study = make.study()
    page = signed_in(Role.ENGINEER).get(reverse("play:studies")).content.decode()
    assert reverse("insight:study", args=[study.pk]) in page
    assert reverse("play:study-new") not in page


def test_the_form_says_why_rehearsal_is_fixed_and_asks_for_a_reason(researcher: Client) -> None:
    study = make.session(make.study(name="Pilot")).study
    address = reverse("play:study-edit", args=[study.pk])
    page = researcher.get(address).content.decode()
    assert "This is fixed since the first check-in" in page
    assert "Version 1 of the protocol is frozen: a change makes version 2." in page
    answer = researcher.post(address, edited(study, hard_minutes="45"))
    assert "<code>reason_missing</code>" in answer.content.decode()
    answer = researcher.post(address, edited(study, rehearsal="on", reason=REASON))
    assert "<code>rehearsal_fixed</code>" in answer.content.decode()
    assert researcher.post(address, edited(study, hard_minutes="45", reason=REASON)).status_code == 302
    study.refresh_from_db()
    assert (study.protocol.limits.hard_seconds, study.rehearsal) == (2700, False)
    assert study.newest_version.created_by == staff(Role.RESEARCHER)


def test_an_unchanged_form_changes_nothing(researcher: Client) -> None:
    """Limits between tenths of a minute and a browser's line ends are no changes."""
    study = make.session(make.study(soft_seconds=50, consent_text="One.\n\nTwo.")).study
    address = reverse("play:study-edit", args=[study.pk])
    given = researcher.get(address).context["form"]
    sent = edited(study, soft_minutes=given["soft_minutes"].value(), consent_text="One.\r\n\r\nTwo.")
    assert researcher.post(address, sent).status_code == 302
    assert ProtocolVersion.objects.count() == 1


def test_an_outdated_form_is_refused(researcher: Client) -> None:
    """Of two tabs, the one sent second was filled from an older version."""
    study = make.study(name="Pilot")
    address = reverse("play:study-edit", args=[study.pk])
    edition = researcher.get(address).context["form"]["edition"].value()
    assert researcher.post(address, form(fee="120", edition=edition)).status_code == 302
    answer = researcher.post(address, form(bonus="9", edition=edition))
    assert "<code>protocol_changed</code>" in answer.content.decode()
    assert str(study.protocol.pay.fee) == "120.00"
    assert str(study.protocol.pay.bonus) == "5.00"


def test_a_rehearsal_stays_a_rehearsal_after_the_form(researcher: Client) -> None:
    study = make.session(make.study(rehearsal=True)).study
    address = reverse("play:study-edit", args=[study.pk])
    sent = edited(study, name="Other", consent_text=study.protocol.consent_text)
    assert researcher.post(address, sent).status_code == 302
    study.refresh_from_db()
    assert (study.name, study.rehearsal) == ("Other", True)


def test_saving_a_study_warns_of_other_minutes_in_its_consent_text(researcher: Client) -> None:
    warning = "The consent text says 90 minutes; the session limit is 60."
    sent = {"consent_text": "You play for up to 90 minutes.", "session_minutes": "60"}
    page = researcher.post(reverse("play:study-new"), form(**sent), follow=True).content.decode()
    assert f'role="status">{warning}</p>' in page
    study = Study.objects.get()
    address = reverse("play:study-edit", args=[study.pk])
    page = researcher.post(address, edited(study, **sent), follow=True).content.decode()
    assert f'role="status">{warning}</p>' in page, "until somebody changes it"
    sent["session_minutes"] = "90"
    page = researcher.post(address, edited(study, **sent), follow=True).content.decode()
    assert "session limit is" not in page


def test_real_people_are_offered_what_is_in_external_or_done(researcher: Client) -> None:
    inside, out = make.environment("ck01"), played_by_people()
    address = reverse("play:study-new")
    assert [*researcher.get(address).context["form"].fields["pool"].queryset] == [out]
    refused = researcher.post(address, form(pool=[inside.pk])).content.decode()
    assert "Real people play only what is in External or Done" in refused
    assert inside in researcher.get(f"{address}?rehearsal").context["form"].fields["pool"].queryset
    researcher.post(address, form(pool=[inside.pk], rehearsal="on"))
    assert Study.objects.get().pool.get() == inside
