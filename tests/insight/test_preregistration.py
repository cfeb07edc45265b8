"""A study registers its plan for good, and its page lists what departs from it."""

import hashlib
import json

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from playtest.insight.models import Preregistration, RegistryLink
from playtest.insight.services.reports import register
from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Study
from playtest.review.models import Decision, DecisionKind
from tests import make
from tests.insight.stages import newer_version
from tests.insight.test_environment_page import text
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

ENOUGH = [2] * 31


@pytest.fixture
def study() -> Study:
    return make.study("wk01", people=1)


@pytest.fixture
def lead() -> Client:
    return signed_in(Role.LEAD)


def page_of(study: Study) -> str:
    return reverse("insight:preregistration", args=[study.pk])


def send(client: Client, study: Study, **said: str) -> str:
    address = reverse("insight:preregister", args=[study.pk])
    seen = client.get(page_of(study)).context["seen"]
    return client.post(address, {"seen": seen, **said}, follow=True).content.decode()


def test_a_plan_is_registered_and_departures_are_found_on_both_pages(study: Study, lead: Client) -> None:
    assert "is not preregistered" in text(lead, page_of(study))
    assert "Not preregistered" in text(lead, reverse("insight:study", args=[study.pk]))
    assert "is stored. It cannot be changed" in send(lead, study, people="1", analysis="**Most** solve it.")
    assert study.newest_version.frozen_at is not None
    assert "Nothing departs from preregistration 1" in text(lead, page_of(study))
    make.play(make.session(study), ENOUGH)
    assert "Nothing departs from preregistration 1" in text(lead, page_of(study))
    newer_version(study.pool.get())
    study = make.change(study, soft_seconds=60)
    make.play(make.session(study), ENOUGH)
    for page in (page_of(study), reverse("insight:study", args=[study.pk])):
        shown = text(lead, page)
        assert "4 departures from" in shown
        assert "1 session follows version 2 of the protocol, which is not as registered in: Soft" in shown
        assert "1 attempt at wk01 was at version eeeeeeee, not at" in shown
        assert "2 people came; 1 were registered." in shown
        assert "More people count than the 1 registered for each environment: wk01 2." in shown


def test_an_amendment_says_how_many_sessions_had_begun(study: Study, lead: Client) -> None:
    send(lead, study, people="5")
    make.play(make.session(study), ENOUGH)
    assert "registered_already" in send(lead, study, people="5")
    send(lead, study, people="6")
    assert "1 session had begun when the study was registered." in text(lead, page_of(study))
    first = reverse("insight:preregistration-numbered", args=[study.pk, 1])
    assert "Nothing departs from preregistration 1" in text(lead, first)
    assert lead.get(reverse("insight:preregistration-numbered", args=[study.pk, 3])).status_code == 404


def test_its_files_say_what_was_registered_and_check_without_this_program(study: Study, lead: Client) -> None:
    send(lead, study, people="12", analysis="One hypothesis.\n\nA second paragraph.")
    link = reverse("insight:preregistration-registry", args=[study.pk, 1])
    assert "address_invalid" in lead.post(link, {"address": "osf.io/abcde"}, follow=True).content.decode()
    lead.post(link, {"address": "https://osf.io/abcde"})
    assert "https://osf.io/abcde" in text(lead, page_of(study))
    stored = lead.get(reverse("insight:preregistration-file", args=[study.pk, 1, "json"]))
    document = json.loads(stored.content)
    canonical = json.dumps(document["registered"], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert hashlib.sha256(canonical.encode()).hexdigest() == document["digest"]
    assert document["registry"] == "https://osf.io/abcde"
    assert document["registered"]["people"] == 12
    markdown = lead.get(reverse("insight:preregistration-file", args=[study.pk, 1, "md"])).content.decode()
    assert "One hypothesis.\n\nA second paragraph." in markdown
    assert document["digest"] in markdown
    assert f"| wk01 | `{study.pool.get().current.digest}` |" in markdown  # type: ignore[union-attr]
    assert lead.get(reverse("insight:preregistration-file", args=[study.pk, 1, "pdf"])).status_code == 404


def test_a_plan_is_registered_with_its_assumptions_and_its_precision(study: Study, lead: Client) -> None:
    plan = lead.get(reverse("insight:plan", args=[study.pk]))
    query = plan.context["query"]
    assert f"{page_of(study)}?{escape(query)}" in plan.content.decode()
    shown = lead.get(f"{page_of(study)}?{query}")
    people = plan.context["plan"].forecast.recruiting.people
    assert shown.context["form"].initial["people"] == people
    send(lead, study, people=str(people), plan=query)
    stored = Preregistration.objects.get().document
    assert stored["plan"] == json.loads(json.dumps(plan.context["plan"].document))
    markdown = lead.get(reverse("insight:preregistration-file", args=[study.pk, 1, "md"])).content.decode()
    assert "## Plan" in markdown
    assert lead.get(f"{page_of(study)}?environments=none").status_code == 404
    assert (
        "plan" in send(lead, study, people="3", plan="environments=0") or Preregistration.objects.count() == 1
    )


def test_what_changed_since_the_page_was_opened_is_not_registered(study: Study, lead: Client) -> None:
    seen = lead.get(page_of(study)).context["seen"]
    make.change(study, soft_seconds=60)
    address = reverse("insight:preregister", args=[study.pk])
    answer = lead.post(address, {"seen": seen, "people": "", "analysis": "Kept words"})
    assert "plan_changed" in answer.content.decode()
    assert "Kept words" in answer.content.decode()
    assert not Preregistration.objects.exists()


def test_impossible_numbers_rehearsals_and_others_roles_are_refused(study: Study, lead: Client) -> None:
    assert "Ensure this value is greater than or equal to 1" in send(lead, study, people="0")
    designer = signed_in(Role.DESIGNER)
    assert designer.post(reverse("insight:preregister", args=[study.pk]), {}).status_code == 403
    rehearsal = make.study("wk01", rehearsal=True)
    assert "A rehearsal has no results" in text(lead, page_of(rehearsal))
    with pytest.raises(Refusal) as raised:
        register(rehearsal, None, people=None, analysis="")
    assert raised.value.code == "rehearsal_not_registered"
    assert not Preregistration.objects.exists()
    assert not RegistryLink.objects.exists()


def test_an_exclusion_by_another_rule_set_departs_and_simulated_people_do_not(
    study: Study, lead: Client
) -> None:
    send(lead, study, people="1")
    session = make.session(study)
    make.play(session, ENOUGH)
    made = {"session": session, "kind": DecisionKind.EXCLUDE_SESSION, "reason": "other"}
    Decision.objects.create(
        **made, rule_version="effort-0", reviewer=staff(Role.RESEARCHER), decided_at=now()
    )
    robot = new_participant(simulated=True)
    make.play(make.session(study, robot), ENOUGH)
    shown = text(lead, page_of(study))
    assert "1 departure from preregistration 1" in shown
    assert "1 exclusion was decided by rule set effort-0 of effort, not by" in shown
