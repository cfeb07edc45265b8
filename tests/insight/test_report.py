"""The report of a study: its figures agree with other computations, and releases keep it."""

import hashlib
import json
import re
from datetime import timedelta
from io import BytesIO, StringIO
from statistics import median_high
from typing import Any
from zipfile import ZipFile

import polars as pl
import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from playtest.insight.models import ReleasedReport, ReportAnswer
from playtest.insight.paper.report.build import FACTS, entries_of, report_of
from playtest.insight.paper.report.gathered import Gathered
from playtest.insight.paper.report.robustness import variants
from playtest.insight.services.releases import release
from playtest.insight.services.reports import answer_item, bring_studies_up_to_date
from playtest.people.roles import Role
from playtest.play.clock import now
from playtest.play.models import Debrief, Entry, OutsideStudy, Session, SessionEnd, Study
from playtest.review.models import DecisionKind, Export, ExportKind
from playtest.review.services.dataset import write_dataset
from playtest.rules.attempt import Outcome
from playtest.rules.debrief import HOW_HARD
from playtest.rules.reporting.document import CHAPTERS, ITEMS, Report
from tests import make
from tests.live.games import WALK
from tests.make_tasks import small_task
from tests.review.cases import settled
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

TRIED = [0] * 31


@pytest.fixture
def study() -> Study:
    return make.study(people=100)


def reported(study: Study) -> Report:
    bring_studies_up_to_date([study])
    return report_of(study)


def facts_of(study: Study, number: str) -> dict[str, str]:
    """The facts of one item by label, from results as they are now."""
    bring_studies_up_to_date([study])
    [entry] = entries_of(study, [item for item in ITEMS if item.number == number], {})
    return {fact.label: fact.value for fact in entry.facts}


def address(study: Study) -> str:
    return reverse("insight:report", args=[study.pk])


def answered(client: Client, study: Study, item: str, text: str, based_on: int = 0) -> Any:
    posted = {"text": text, "based_on": based_on}
    return client.post(reverse("insight:report-answer", args=[study.pk, item]), posted, follow=True)


def test_every_item_has_its_facts_and_a_study_without_anybody_has_a_report(study: Study) -> None:
    assert set(FACTS) == {item.number for item in ITEMS}
    empty = reported(study)
    assert [entry.number for entry in empty.entries] == [item.number for item in ITEMS]
    assert len(empty.missing) == sum(bool(item.asked) for item in ITEMS)
    assert "none" in next(entry for entry in empty.entries if entry.number == "1.4").facts[0].value


def test_people_and_attempts_are_counted_once_and_add_up(study: Study) -> None:
    counted = [make.play(make.session(study), TRIED) for _ in range(3)]
    make.play(make.session(study), [0] * 30)  # too few actions
    make.play(make.session(study), TRIED, None)  # goes on
    make.play(make.session(study), TRIED, Outcome.FAULT, fault_code="x", fault_message="x")
    make.play(make.session(study), TRIED, seconds_an_action=60)  # 30:00 and more
    make.session(study)  # begins nothing
    settled(counted[0].session, staff(Role.LEAD), DecisionKind.EXCLUDE_SESSION, "did_not_try")
    bring_studies_up_to_date([study])
    found = Gathered(study)
    people, attempts = found.people, found.attempts
    assert (people.recruited, people.counted, people.excluded, people.uncounted) == (8, 2, 1, 4)
    assert (people.absent, people.declined, people.unfinished) == (0, 0, 1)
    assert people.recruited == (
        people.absent
        + people.declined
        + people.unfinished
        + people.excluded
        + people.uncounted
        + people.counted
    )
    assert facts_of(study, "1.1")["People who began an environment"] == "7"
    assert "Time of people at environments, in excluded attempts too" in facts_of(study, "1.7")
    assert (attempts.begun, attempts.counted, [number for _, number in attempts.excluded]) == (7, 2, [1])
    assert (attempts.too_short, attempts.too_long, attempts.faults, attempts.still_open) == (1, 1, 1, 1)
    assert attempts.begun == attempts.counted + 1 + 4 + attempts.cut


def test_a_share_has_the_denominator_of_its_percentage_and_names_what_is_excluded_in_part(
    study: Study,
) -> None:
    solved = [make.play(make.session(study), [*TRIED, *WALK], Outcome.COMPLETED) for _ in range(2)]
    make.play(make.session(study), TRIED)
    make.play(make.session(study), TRIED, Outcome.SESSION_OVER)
    settled(
        solved[0].session, staff(Role.LEAD), DecisionKind.EXCLUDE_FROM, "disturbed",
        attempt_id=solved[0].pk, from_seq=33,
    )  # fmt: skip
    shares = facts_of(study, "4.2")
    assert shares["Attempts that solved"].startswith("1 of 2 (50 %")
    assert shares["Attempts that were cut short, in no share"] == "1"
    assert shares["Other attempts excluded in part, in no share"] == "1"
    assert facts_of(study, "3.2")["Attempts excluded in part, from a moment on"].startswith("1 of 4 (25 %")
    [rows] = [
        table.rows
        for entry in reported(study).entries
        for table in entry.tables
        if table.caption.startswith("What became of the attempts")
    ]
    counted_in_part = ("counted up to an exclusion from a moment on", "1")
    assert rows == (("begun", "4"), counted_in_part, ("counted as a whole", "3"))


def test_the_digest_of_an_export_has_its_date_and_what_changed_since(study: Study) -> None:
    attempt = make.play(make.session(study), TRIED, minutes_ago=60)
    make.play(make.session(study), TRIED, minutes_ago=50)
    taken = now() - timedelta(minutes=30)
    Export.objects.create(
        study=study, kind=ExportKind.STUDY_CSV, digest="d" * 64, requested_at=taken, started_at=taken
    )
    said = f"digest {'d' * 64}, made {taken:%Y-%m-%d %H:%M} UTC"
    assert facts_of(study, "5.2") == {"Export of the study": said}
    settled(attempt.session, staff(Role.LEAD), DecisionKind.EXCLUDE_SESSION, "did_not_try")
    make.play(make.session(study), TRIED, minutes_ago=20)
    since = facts_of(study, "5.2")["Changed since that export"]
    assert since.startswith("1 attempt, 2 decisions of reviewers")


def test_of_a_median_between_two_answers_both_are_said(study: Study) -> None:
    for step in (1, 3, 4, 5):
        attempt = make.play(make.session(study), TRIED)
        Debrief.objects.create(attempt=attempt, difficulty=step, answered_at=now())
    assert facts_of(study, "3.6")[HOW_HARD] == "median between Neither and Hard of 4 answers"
    Debrief.objects.filter(difficulty=5).delete()
    assert facts_of(study, "3.6")[HOW_HARD] == "median Neither of 3 answers"


def test_earlier_studies_are_those_with_sessions_here() -> None:
    make.study(name="Nobody came")
    make.session(make.study(name="Held"))
    make.session(make.study(name="Rehearsed", rehearsal=True))
    for rehearsal in (False, True):
        outside = make.study(name=f"Elsewhere {rehearsal}", rehearsal=rehearsal)
        make.session(outside)
        OutsideStudy.objects.create(study=outside, source="The laboratory at sea", imported_at=now())
    facts = facts_of(make.study(name="Now"), "1.6")
    assert facts["Earlier studies here with sessions"] == "1"
    assert facts["Earlier rehearsals here with sessions"] == "1"


def test_environments_are_counted_by_their_kind(study: Study) -> None:
    study.pool.add(small_task("pair-1", [[1]]), small_task("pair-2", [[2]]))
    assert facts_of(study, "0.8")["In no set"] == "1 interactive environment, 2 static tasks"
    covered = facts_of(study, "1.2")
    assert covered["Environments in the study's pool"] == "1 interactive environment, 2 static tasks"
    assert covered["Environments with attempts that count"] == "none"


def test_of_a_study_that_was_held_elsewhere_nothing_is_said_of_this_center(study: Study) -> None:
    attempt = make.play(make.session(study), TRIED)
    Session.objects.filter(attempts=attempt).update(consent=None)
    OutsideStudy.objects.create(study=study, source="The laboratory at sea", imported_at=now())
    study.refresh_from_db()
    bring_studies_up_to_date([study])
    people = Gathered(study).people
    assert (people.declined, people.counted) == (0, 1)
    Session.objects.filter(attempts=attempt).update(end_reason=SessionEnd.IMPORTED, ended_at=now())
    assert facts_of(study, "5.1")["Sessions held elsewhere; why they ended is not known"] == "1"
    entries = {entry.number: entry for entry in report_of(study).entries}
    for number in ("2.7", "3.1", "3.5"):
        [fact] = entries[number].facts
        assert "The laboratory at sea" in fact.value, number


def test_baselines_under_other_exclusions_are_those_of_a_naive_count(study: Study) -> None:
    """Upper medians of the first level, counted from the journal itself."""
    walks = [[*WALK], [0, *WALK], [0, 0, *WALK], [0, 0, 0, *WALK], [0, 0, 0, 0, *WALK]]
    attempts = [make.play(make.session(study), walk) for walk in walks]
    settled(attempts[0].session, staff(Role.LEAD), DecisionKind.EXCLUDE_SESSION, "did_not_try")
    bring_studies_up_to_date([study])
    found = {one.name: one for one in variants(Gathered(study).results)}

    def naive(chosen: list[Any]) -> int:
        done = Entry.objects.filter(attempt__in=chosen, level=1, level_completed=True)
        return median_high(done.values_list("seq", flat=True))

    level = ("wk01", attempts[0].version_id, 1)
    assert found["as on the study's page"].baselines[level] == naive(attempts[1:])
    assert found["with everything that was excluded"].baselines[level] == naive(attempts)
    assert found["without the verdicts of reviewer 1"].baselines[level] == naive(attempts)
    assert found["counted attempts alone"].baselines == {}
    [differing] = [
        table
        for entry in reported(study).entries
        for table in entry.tables
        if table.caption.startswith("The baselines that differ")
    ]
    undo = differing.columns.index("Of actions")
    assert {row[undo] for row in differing.rows} == {"undo counted"}


def test_shares_and_counts_agree_with_the_export(study: Study, tmp_path: Any) -> None:
    for outcome in (Outcome.COMPLETED, Outcome.COMPLETED, Outcome.GAVE_UP):
        make.play(make.session(study), TRIED, outcome)
    write_dataset(study, tmp_path, "parquet", identified=False)
    exported = pl.read_parquet(tmp_path / "attempts.parquet").filter("counted")
    text = json.dumps(reported(study).document)
    solved = exported.filter(pl.col("outcome") == "completed").height
    assert f"{solved} of {exported.height} (67 %" in text


def test_a_page_has_one_chapter_and_all_together_have_every_item(study: Study, lead: Client) -> None:
    shown = {
        chapter: set(re.findall('<section class="report-item" id="item-([^"]+)"', page))
        for chapter in CHAPTERS
        for page in [lead.get(address(study), {"chapter": chapter}).content.decode()]
    }
    assert shown == {
        chapter: {item.number.replace(".", "-") for item in ITEMS if item.place == chapter}
        for chapter in CHAPTERS
    }
    assert lead.get(address(study), {"chapter": "6"}).status_code == 404
    first = lead.get(address(study)).content.decode()
    assert '<a href="?chapter=1#item-1-9">1.9' in first
    assert ">The evaluation: 4 not answered</a>" in first
    assert answered(lead, study, "1.9", "Board 7.").redirect_chain[0][0].endswith("?chapter=1#item-1-9")
    for item in ITEMS:
        if item.asked and item.place == "0":
            answer_item(study, item.number, "As usual.", None, based_on=0)
    assert 'id="item-1-1"' in lead.get(address(study)).content.decode()  # the first that waits


def test_answers_are_versions_that_replace_each_other(study: Study, lead: Client) -> None:
    page = lead.get(address(study)).content.decode()
    assert "items wait for an answer" in page
    assert "not answered" in page
    shown = answered(lead, study, "1.9", "Board 7 approved it.\n<b>No. 3</b>").content.decode()
    assert "The answer to item 1.9 is stored." in shown
    assert "&lt;b&gt;No. 3&lt;/b&gt;" in shown
    assert (
        "answer_unchanged"
        in answered(lead, study, "1.9", "Board 7 approved it.\n<b>No. 3</b>", 1).content.decode()
    )
    assert "answer_changed" in answered(lead, study, "1.9", "Another text").content.decode()
    answered(lead, study, "1.9", "", 1)
    assert ReportAnswer.objects.count() == 2
    assert next(entry for entry in reported(study).entries if entry.number == "1.9").missing


@pytest.mark.parametrize(
    ("item", "text", "code"),
    [
        ("1.1", "x", "item_not_asked"),
        ("7.7", "x", "item_unknown"),
        ("1.9", "x" * 5001, "answer_too_long"),
        ("1.9", "  ", "answer_unchanged"),
    ],
)
def test_what_cannot_be_stored_is_refused_with_its_code(
    study: Study, lead: Client, item: str, text: str, code: str
) -> None:
    assert code in answered(lead, study, item, text).content.decode()
    assert not ReportAnswer.objects.exists()


def test_the_report_is_a_file_in_every_form(study: Study, lead: Client) -> None:
    answer_item(study, "2.1", "Adults & others_100%", None, based_on=0)
    forms = {}
    for ending in ("html", "md", "tex", "json"):
        answer = lead.get(reverse("insight:report-file", args=[study.pk, ending]))
        assert answer.status_code == 200
        forms[ending] = answer.content.decode()
    assert "Adults &amp; others_100%" in forms["html"]
    assert r"Adults & others\_100%" in forms["md"]
    assert r"Adults \& others\_100\%" in forms["tex"]
    document = json.loads(forms["json"])
    canonical = json.dumps(document["report"], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert document["digest"] == hashlib.sha256(canonical.encode()).hexdigest()
    assert lead.get(reverse("insight:report-file", args=[study.pk, "doc"])).status_code == 404
    packed = lead.get(reverse("insight:report-file", args=[study.pk, "zip"])).content
    with ZipFile(BytesIO(packed)) as file:
        assert file.read("report.tex").decode() == forms["tex"]
        assert file.read("table-5.3-1.csv").decode().startswith("Environment,Game id,Digest")


def test_the_command_prints_it_and_names_what_is_not_answered(study: Study) -> None:
    output, complaints = StringIO(), StringIO()
    call_command("report", study.name, format="json", stdout=output, stderr=complaints)
    bring_studies_up_to_date([study])
    assert json.loads(output.getvalue())["report"] == report_of(study).document
    assert "not answered: 1.9 Ethics review" in complaints.getvalue()
    call_command("report", str(study.pk), stdout=StringIO(), stderr=StringIO())
    with pytest.raises(CommandError, match="study_unknown"):
        call_command("report", "no such study")
    with pytest.raises(CommandError, match="release_unknown"):
        call_command("report", study.name, release="wk01:9")


def test_a_release_keeps_the_report_as_it_stood(study: Study, lead: Client) -> None:
    make.play(make.session(study), [*WALK], Outcome.COMPLETED)
    version = make.environment().current
    assert version is not None
    made = release(version, staff(Role.LEAD), "It is a test.", provisional=True)
    stored = ReleasedReport.objects.get()
    assert (stored.release, stored.study) == (made, study)
    before = stored.digest
    answer_item(study, "1.9", "No board exists here.", None, based_on=0)
    assert reported(study).digest != before
    output = StringIO()
    call_command(
        "report", study.name, format="json", release=f"wk01:{made.number}", stdout=output, stderr=StringIO()
    )
    assert json.loads(output.getvalue())["digest"] == before
    file = lead.get(reverse("insight:released-report", args=["wk01", made.number, study.pk, "json"]))
    assert json.loads(file.content)["digest"] == before
    assert before[:12] in lead.get(reverse("insight:release", args=["wk01", made.number])).content.decode()


def test_answers_of_people_need_their_right(study: Study) -> None:
    assert signed_in(Role.DESIGNER).get(address(study)).status_code == 403
