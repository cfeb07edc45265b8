"""The plan of a study and its registration for good."""

import hashlib
import json

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape
from playwright.sync_api import Page, expect

from playtest.insight.models import Preregistration, RegistryLink
from playtest.insight.services.reports import register
from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play.clock import now
from playtest.play.models import Study
from playtest.review.models import Decision, DecisionKind
from playtest.rules.attempt import Outcome
from tests import make
from tests.browsing import ORIGIN, browse
from tests.insight.stages import newer_version
from tests.insight.test_environment_page import text
from tests.live.games import WALK
from tests.refusals import refused
from tests.review.cases import settled
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]


ENOUGH = [2] * 31


@pytest.fixture
def study() -> Study:
    return make.study("wk01", fee="100.00", bonus="4.00", session_seconds=3600)


def page_of(study: Study) -> str:
    return reverse("insight:plan", args=[study.pk])


def test_a_plan_has_people_sessions_hours_and_pay_of_the_studys_protocol(study: Study) -> None:
    client = signed_in(Role.RESEARCHER)
    assumed = {"environments": "25", "people": "9", "a_session": "9", "counting": "90", "success": "50"}
    html = text(client, page_of(study), **assumed)
    assert "9 people on each of 25 environments cost $3,250.00" in html
    shown = client.get(page_of(study), assumed).context
    taken = shown["plan"].document["forecast"]
    assert (taken["people"], taken["sessions"], taken["hours"], taken["cost"]) == (28, 28, 28, "3250.00")
    assert shown["plan"].assumptions.success == 0.5


def test_the_page_is_linked_from_the_study_and_begins_with_its_environments(study: Study) -> None:
    client = signed_in(Role.RESEARCHER)
    at_study = reverse("insight:study", args=[study.pk])
    assert f'href="{page_of(study)}"' in client.get(at_study).content.decode()
    register(study, staff(Role.LEAD), people=3, analysis="")
    assert f'href="{page_of(study)}"' in client.get(at_study).content.decode()
    html = text(client, page_of(study))
    assert "on each of 1 environment cost" in html
    assert "Nothing has been played in any study" in html
    assert "No difference to an agent can be found" in html


def test_what_an_earlier_study_measured_fills_the_form(study: Study) -> None:
    earlier = make.study("wk01", name="Pilot")
    make.play(make.session(earlier), [*ENOUGH, *WALK], Outcome.COMPLETED)
    make.play(make.session(earlier), [2] * 14 + WALK, Outcome.COMPLETED)
    make.play(make.session(earlier), ENOUGH)
    make.play(make.session(earlier), [2] * 3)  # too few actions to count
    excluded = make.play(make.session(earlier), ENOUGH)
    settled(excluded.session, staff(Role.LEAD), DecisionKind.EXCLUDE_SESSION, "did_not_try")
    client = signed_in(Role.RESEARCHER)
    answer = client.get(page_of(study), {"earlier": earlier.pk})
    form = answer.context["form"]
    assert form["success"].value() == "66.7"
    assert form["counting"].value() == "60"  # 3 of the 5 that began
    assert form["completing"].value().split(", ")[0] == "66.7"
    assert float(form["spread"].value()) > 1
    assert form["correlation"].value() == "10"  # nobody met two environments
    assert "those of “Pilot”" in answer.content.decode()


def test_other_studies_cannot_be_chosen_before_they_were_played(study: Study) -> None:
    client = signed_in(Role.RESEARCHER)
    for chosen in (str(study.pk), "999", "x"):
        assert client.get(page_of(study), {"earlier": chosen}).status_code == 404


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"people": "0"}, "min_value"),
        ({"completing": "95, much"}, "plan_levels_unusable"),
        ({"completing": "101"}, "plan_levels_unusable"),
        ({"spread": "nan"}, "invalid"),
        ({"power": ""}, "required"),
    ],
)
def test_assumptions_that_cannot_be_used_have_a_code(study: Study, change: dict[str, str], code: str) -> None:
    client = signed_in(Role.RESEARCHER)
    html = client.get(page_of(study), change).content.decode()
    assert "These assumptions give no plan" in html
    assert f"<code>{code}</code>" in html


def test_a_plan_needs_the_right_to_read_baselines(study: Study) -> None:
    client = signed_in(Role.PROCTOR)
    assert client.get(page_of(study)).status_code == 403


def test_a_plan_is_computed_by_keyboard_on_a_narrow_screen(page: Page, study: Study) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    browse(page, signed_in(Role.RESEARCHER))
    page.goto(f"{ORIGIN}{page_of(study)}")
    page.locator("summary", has_text="Assumptions").press("Enter")
    page.get_by_label("People on each environment").fill("20")
    page.get_by_label("People on each environment").press("Enter")
    expect(page.locator("h1")).to_contain_text("20 people on each of 1 environment")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.go_back()
    expect(page.locator("h1")).not_to_contain_text("20 people")


@pytest.fixture
def registered() -> Study:
    return make.study("wk01", people=1)


def page_of_study(registered: Study) -> str:
    return reverse("insight:preregistration", args=[registered.pk])


def send(client: Client, registered: Study, **said: str) -> str:
    address = reverse("insight:preregister", args=[registered.pk])
    seen = client.get(page_of_study(registered)).context["seen"]
    return client.post(address, {"seen": seen, **said}, follow=True).content.decode()


def test_a_plan_is_registered_and_departures_are_found_on_both_pages(registered: Study, lead: Client) -> None:
    assert "is not preregistered" in text(lead, page_of_study(registered))
    assert "Not preregistered" in text(lead, reverse("insight:study", args=[registered.pk]))
    assert "is stored. It cannot be changed" in send(
        lead, registered, people="1", analysis="**Most** solve it."
    )
    assert registered.newest_version.frozen_at is not None
    assert "Nothing departs from preregistration 1" in text(lead, page_of_study(registered))
    make.play(make.session(registered), ENOUGH)
    assert "Nothing departs from preregistration 1" in text(lead, page_of_study(registered))
    newer_version(registered.pool.get())
    registered = make.change(registered, soft_seconds=60)
    make.play(make.session(registered), ENOUGH)
    for page in (page_of_study(registered), reverse("insight:study", args=[registered.pk])):
        shown = text(lead, page)
        assert "4 departures from" in shown
        assert "1 session follows version 2 of the protocol, which is not as registered in: Soft" in shown
        assert "1 attempt at wk01 was at version eeeeeeee, not at" in shown
        assert "2 people came; 1 were registered." in shown
        assert "More people count than the 1 registered for each environment: wk01 2." in shown


def test_an_amendment_says_how_many_sessions_had_begun(registered: Study, lead: Client) -> None:
    send(lead, registered, people="5")
    make.play(make.session(registered), ENOUGH)
    assert "registered_already" in send(lead, registered, people="5")
    send(lead, registered, people="6")
    assert "1 session had begun when the study was registered." in text(lead, page_of_study(registered))
    first = reverse("insight:preregistration-numbered", args=[registered.pk, 1])
    assert "Nothing departs from preregistration 1" in text(lead, first)
    assert lead.get(reverse("insight:preregistration-numbered", args=[registered.pk, 3])).status_code == 404


def test_its_files_say_what_was_registered_and_check_without_this_program(
    registered: Study, lead: Client
) -> None:
    send(lead, registered, people="12", analysis="One hypothesis.\n\nA second paragraph.")
    link = reverse("insight:preregistration-registry", args=[registered.pk, 1])
    assert "address_invalid" in lead.post(link, {"address": "osf.io/abcde"}, follow=True).content.decode()
    lead.post(link, {"address": "https://osf.io/abcde"})
    assert "https://osf.io/abcde" in text(lead, page_of_study(registered))
    stored = lead.get(reverse("insight:preregistration-file", args=[registered.pk, 1, "json"]))
    document = json.loads(stored.content)
    canonical = json.dumps(document["registered"], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert hashlib.sha256(canonical.encode()).hexdigest() == document["digest"]
    assert document["registry"] == "https://osf.io/abcde"
    assert document["registered"]["people"] == 12
    markdown = lead.get(
        reverse("insight:preregistration-file", args=[registered.pk, 1, "md"])
    ).content.decode()
    assert "One hypothesis.\n\nA second paragraph." in markdown
    assert document["digest"] in markdown
    assert f"| wk01 | `{registered.pool.get().current.digest}` |" in markdown  # type: ignore[union-attr]
    assert (
        lead.get(reverse("insight:preregistration-file", args=[registered.pk, 1, "pdf"])).status_code == 404
    )


def test_a_plan_is_registered_with_its_assumptions_and_its_precision(registered: Study, lead: Client) -> None:
    plan = lead.get(reverse("insight:plan", args=[registered.pk]))
    query = plan.context["query"]
    assert f"{page_of_study(registered)}?{escape(query)}" in plan.content.decode()
    shown = lead.get(f"{page_of_study(registered)}?{query}")
    people = plan.context["plan"].forecast.recruiting.people
    assert shown.context["form"].initial["people"] == people
    send(lead, registered, people=str(people), plan=query)
    stored = Preregistration.objects.get().document
    assert stored["plan"] == json.loads(json.dumps(plan.context["plan"].document))
    markdown = lead.get(
        reverse("insight:preregistration-file", args=[registered.pk, 1, "md"])
    ).content.decode()
    assert "## Plan" in markdown
    assert lead.get(f"{page_of_study(registered)}?environments=none").status_code == 404
    assert (
        "plan" in send(lead, registered, people="3", plan="environments=0")
        or Preregistration.objects.count() == 1
    )


def test_what_changed_since_the_page_was_opened_is_not_registered(registered: Study, lead: Client) -> None:
    seen = lead.get(page_of_study(registered)).context["seen"]
    make.change(registered, soft_seconds=60)
    address = reverse("insight:preregister", args=[registered.pk])
    answer = lead.post(address, {"seen": seen, "people": "", "analysis": "Kept words"})
    assert "plan_changed" in answer.content.decode()
    assert "Kept words" in answer.content.decode()
    assert not Preregistration.objects.exists()


def test_impossible_numbers_rehearsals_and_others_roles_are_refused(registered: Study, lead: Client) -> None:
    assert "Ensure this value is greater than or equal to 1" in send(lead, registered, people="0")
    designer = signed_in(Role.DESIGNER)
    assert designer.post(reverse("insight:preregister", args=[registered.pk]), {}).status_code == 403
    rehearsal = make.study("wk01", rehearsal=True)
    assert "A rehearsal has no results" in text(lead, page_of_study(rehearsal))
    with refused("rehearsal_not_registered"):
        register(rehearsal, None, people=None, analysis="")
    assert not Preregistration.objects.exists()
    assert not RegistryLink.objects.exists()


def test_an_exclusion_by_another_rule_set_departs_and_simulated_people_do_not(
    registered: Study, lead: Client
) -> None:
    send(lead, registered, people="1")
    session = make.session(registered)
    make.play(session, ENOUGH)
    made = {"session": session, "kind": DecisionKind.EXCLUDE_SESSION, "reason": "other"}
    Decision.objects.create(
        **made, rule_version="effort-0", reviewer=staff(Role.RESEARCHER), decided_at=now()
    )
    robot = new_participant(simulated=True)
    make.play(make.session(registered, robot), ENOUGH)
    shown = text(lead, page_of_study(registered))
    assert "1 departure from preregistration 1" in shown
    assert "1 exclusion was decided by rule set effort-0 of effort, not by" in shown
