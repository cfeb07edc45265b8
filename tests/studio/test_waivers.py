"""A lead waives any need of a gate, with a reason that is shown wherever the environment is."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from playtest.insight.paper.report.build import report_of
from playtest.insight.services.pipeline import move
from playtest.insight.services.reports import bring_studies_up_to_date
from playtest.people.roles import Role
from playtest.play.errors import Refusal
from playtest.review.services.dataset import write_dataset
from playtest.rules.attempt import Outcome
from playtest.rules.errors import RuleError
from playtest.rules.pipeline import NEEDS, WAIVABLE, Need, Stage
from playtest.studio.models import Exploration, Qualification, WaiverState
from playtest.studio.queries.waivers import granted_of_versions
from playtest.studio.services.waivers import waive
from tests import make
from tests.insight.stages import newer_version, qualify, ready_inside, search
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

WHY = "The report says so."


def refused(*args: object, **options: object) -> str:
    with pytest.raises(RuleError) as raised:
        waive(*args, **options)  # type: ignore[arg-type]
    return raised.value.code


def test_every_need_but_a_version_is_waived_and_asked_for_again_with_the_next_one() -> None:
    walk, lead = make.environment(), staff(Role.LEAD)
    ready_inside(walk)
    move(walk, "internal", None, "")
    for need in (Need.PLAYED, Need.QUALIFIED, Need.UNGUESSABLE):
        waive(walk, need, WHY, lead)
    made = move(walk, "external", lead, "")
    assert made.evidence["qualified"]["words"] == f"It needs a full qualification. Waived by lead: {WHY}"
    assert made.evidence["played"]["data"]["waived"] == WHY
    for place in ("studio:environment", "insight:environment"):
        page = signed_in(Role.RESEARCHER).get(reverse(place, args=["wk01"])).content.decode()
        assert WHY in page, place
    for place in ("insight:board", "insight:portfolio", "insight:portfolio-file"):
        page = signed_in(Role.LEAD).get(reverse(place)).content.decode()
        assert WHY in page.replace(f'title="{WHY}"', ""), place
    newer_version(walk)
    walk.refresh_from_db()
    with pytest.raises(Refusal, match="It needs a full qualification"):
        move(walk, Stage.DONE, lead, "")
    assert refused(walk, Need.VERSION, WHY, lead) == "need_not_waived"
    assert Need.CARD in WAIVABLE


def test_the_waivers_of_many_versions_are_asked_for_once(django_assert_num_queries: Any) -> None:
    walk, lead = make.environment(), staff(Role.LEAD)
    before, needs = walk.current, (Need.CARD, Need.QUALIFIED)
    for need in needs:
        waive(walk, need, WHY, lead)
    assert before is not None
    after = newer_version(walk)
    keys = [(walk.pk, before.pk), (walk.pk, after.pk), (make.environment("ck01").pk, None)]
    with django_assert_num_queries(1):
        found = granted_of_versions(keys, timezone.now())
    assert [{row.need for row in found[key]} for key in keys] == [set(needs), {Need.CARD}, set()]


@pytest.mark.services
def test_a_designer_asks_and_a_lead_decides() -> None:
    walk, designer = make.environment(), staff(Role.DESIGNER)
    address = reverse("studio:waive", args=["wk01"])
    assert refused(walk, Need.CARD, WHY, designer) == "lead_decides"
    asked = signed_in(Role.DESIGNER).post(
        address, {"need": "card", "reason": WHY, "state": "asked"}, follow=True
    )
    assert "asked for" in asked.content.decode()
    assert "Grant waiver" not in asked.content.decode()
    with pytest.raises(Refusal, match="specification card"):
        move(walk, "internal", None, "")
    lead = signed_in(Role.LEAD)
    waits = f'<a href="{reverse("studio:environment", args=["wk01"])}#waivers">1 waiver asked for'
    assert waits in lead.get(reverse("insight:board")).content.decode()
    assert "Grant waiver" in lead.get(reverse("studio:environment", args=["wk01"])).content.decode()
    lead.post(address, {"need": "card", "reason": "Yes.", "state": "granted"})
    assert waits not in lead.get(reverse("insight:board")).content.decode()
    assert refused(walk, Need.CARD, WHY, staff(Role.LEAD)) == "waiver_stands"
    assert refused(walk, Need.NOTE, " ", staff(Role.LEAD)) == "reason_missing"
    waive(walk, Need.CARD, "No more.", staff(Role.LEAD), WaiverState.ENDED)
    assert refused(walk, Need.CARD, WHY, staff(Role.LEAD), WaiverState.ENDED) == "waiver_stands"


def test_nobody_asks_for_a_waiver_of_what_is_met() -> None:
    walk, designer = make.environment(), staff(Role.DESIGNER)
    address = reverse("studio:environment", args=["wk01"])
    page = signed_in(Role.DESIGNER).get(address).content.decode()
    assert '<option value="note">' in page
    assert '<option value="levels">' not in page
    assert refused(walk, Need.LEVELS, WHY, designer, WaiverState.ASKED) == "need_met"
    waive(walk, Need.OWNER, WHY, designer, WaiverState.ASKED)
    assert '<option value="owner">' not in signed_in(Role.DESIGNER).get(address).content.decode()
    home, board = reverse("people:home"), reverse("insight:board")
    assert "waiver waits for your decision" in signed_in(Role.LEAD).get(home).content.decode()
    walk.owner = designer
    walk.save()
    assert "waiver waits for your decision" not in signed_in(Role.LEAD).get(home).content.decode()
    assert "1 waiver asked for" not in signed_in(Role.LEAD).get(board).content.decode()
    assert refused(walk, Need.OWNER, WHY, staff(Role.LEAD)) == "need_met"
    waive(walk, Need.OWNER, "It has one.", staff(Role.LEAD), WaiverState.ENDED)


def test_a_waived_need_is_marked_as_waived_and_not_as_open() -> None:
    walk, lead = make.environment(), signed_in(Role.LEAD)
    ready_inside(walk)
    move(walk, "internal", None, "")
    address = reverse("studio:environment", args=["wk01"])
    assert lead.get(address).content.decode().count('"notice bad"') == 2
    for need in (Need.PLAYED, Need.UNGUESSABLE):
        waive(walk, need, WHY, staff(Role.LEAD))
    page = lead.get(address).content.decode()
    assert '"notice bad"' not in page
    assert page.count(f"Waived by lead: {WHY}") == 2  # its card is waived, too
    assert page.count('<strong class="tag">waived</strong>') == 3


def test_pages_of_single_jobs_mark_what_is_waived_for_their_version() -> None:
    walk, lead = make.environment(), signed_in(Role.LEAD)
    qualify(walk, passed=False)
    search(walk, 2, 1.0)
    jobs = [
        reverse("studio:qualification", args=["wk01", Qualification.objects.get().pk]),
        reverse("studio:exploration", args=["wk01", Exploration.objects.get().pk]),
    ]
    levels = [reverse("studio:random-play", args=["wk01", level]) for level in (1, 2)]

    def told(address: str) -> tuple[bool, bool]:
        """Whether the page calls its need open, and waived."""
        page = lead.get(address).content.decode()
        waived = f"Waived by lead: {WHY}" in page and '<strong class="tag">waived</strong>' in page
        return '"notice bad"' in page, waived

    open_, waived, nothing = (True, False), (False, True), (False, False)
    assert [told(one) for one in jobs + levels] == [nothing, open_, nothing, open_]
    for need in (Need.QUALIFIED, Need.UNGUESSABLE):
        waive(walk, need, WHY, staff(Role.LEAD))
    assert [told(one) for one in jobs + levels] == [waived, waived, nothing, waived]
    newer_version(walk)
    assert [told(one) for one in jobs + levels] == [waived, waived, nothing, open_]


def test_study_data_and_report_say_what_is_waived(tmp_path: Path) -> None:
    study = make.study()
    played = make.play(make.session(study), [4] * 40, Outcome.GAVE_UP)
    waive(played.environment, Need.QUALIFIED, WHY, staff(Role.LEAD))
    write_dataset(study, tmp_path, "csv", identified=False)
    (told,) = json.loads((tmp_path / "dataset.json").read_text())["waived"]
    assert (told["environment"], told["need"], told["reason"]) == ("wk01", "qualified", WHY)
    bring_studies_up_to_date([study])
    design = next(entry for entry in report_of(study).entries if entry.number == "1.6")
    assert [table.rows for table in design.tables] == [(("wk01", NEEDS[Need.QUALIFIED], WHY),)]
