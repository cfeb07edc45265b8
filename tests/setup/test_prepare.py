"""`manage.py prepare` makes a fresh machine ready, and a second run changes nothing."""

import json
import re
import shutil
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from engine.play.actions import Action
from engine.play.source import load
from engine.prove.qualification.plan import FULL_STEPS, RULES
from playtest.insight.pages.board.board import facts_of
from playtest.jobs.models import JobStatus
from playtest.management.commands.prepare import ACCOUNTS, SHIPPED
from playtest.people.models import Staff
from playtest.people.release import left_to_prepare
from playtest.people.roles import Right, Role, may
from playtest.play.models import Study
from playtest.rehearsal.demonstration import INTERACTIVE
from playtest.rehearsal.demonstration_studio import fill_studio
from playtest.rules.pipeline import Need
from playtest.studio.models import (
    Environment,
    Exploration,
    Import,
    Qualification,
    RandomPlay,
    Recording,
    SpecificationCard,
    StageMove,
    Version,
)
from playtest.studio.models.environments import ReleaseSet
from playtest.studio.queries import waivers
from playtest.studio.queries.cards import content_of_environment
from playtest.studio.services import explorations
from playtest.studio.services.cards import CARD_FILE
from playtest.studio.services.imports import do_import
from playtest.studio.services.shipped import proposals, waiting_for
from playtest.studio.services.shipped_evidence import EVIDENCE_FILE, take_evidence, write_evidence
from tests.live.games import WALK
from tests.staff import signed_in, staff
from tools.published import Form, recording

pytestmark = [pytest.mark.django_db, pytest.mark.once]

ENVIRONMENTS = Path(__file__).parents[1] / "environments"
GAMES = Path(__file__).parents[2] / "games"


@pytest.fixture(scope="session")
def assets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built by the first test and found by the others."""
    return tmp_path_factory.mktemp("assets")


@pytest.fixture
def games(tmp_path: Path, assets: Path, settings: Any) -> Path:
    settings.DATA_DIR, settings.ASSETS_DIR = tmp_path / "data", assets
    folder = tmp_path / "games"
    for code in ("wk01", "ck01"):
        shutil.copytree(ENVIRONMENTS / code, folder / code)
    return folder


def prepare(games: Path, only: str | None = None) -> tuple[str, str]:
    """Runs `prepare` and returns its output and its errors."""
    output, complaints = StringIO(), StringIO()
    options = {"games": games, "without_demo": True, "only": only}
    call_command("prepare", **options, stdout=output, stderr=complaints)
    return output.getvalue(), complaints.getvalue()


def record_a_win(folder: Path) -> None:
    (folder / "recordings").mkdir()
    lines = recording(load(folder), map(Action, WALK), "", Form(last_line=False))
    (folder / "recordings" / "win.jsonl").write_text("".join(lines))


ADDRESSES = ("https://center.example.org/\n", "https://center.example.org/staff/\n")


def passwords(output: str) -> dict[str, str]:
    return dict(re.findall(r"^  ([\w-]+) +(\S+)$", output, re.MULTILINE))


def test_a_fresh_machine_gets_a_study_with_every_environment_and_the_account_of_a_lead(
    games: Path, settings: Any
) -> None:
    settings.CENTER_URL = "https://center.example.org/"
    output, _ = prepare(games)
    study = Study.objects.get()
    assert [environment.code for environment in study.pool.all()] == ["ck01", "wk01"]
    assert study.open
    assert set(Environment.objects.values_list("release_set", flat=True)) == {ReleaseSet.PUBLIC}
    printed = passwords(output)
    assert set(printed) == {"lead"}
    assert Staff.objects.get(role=Role.LEAD).check_password(printed["lead"])
    assert "one account for each person: make more at https://center.example.org/staff/accounts/" in output
    assert all(address in output for address in ADDRESSES)
    assert settings.DATA_DIR.stat().st_mode & 0o077 == 0, "for nobody else on this machine"
    assert study.protocol.pay.fee == 115


def test_a_study_in_another_currency_promises_nothing_until_somebody_says_what(
    games: Path, settings: Any
) -> None:
    settings.CENTER_CURRENCY = "JPY"
    prepare(games)
    study = Study.objects.get()
    assert study.currency == "JPY"
    assert study.protocol.pay.fee == study.protocol.pay.bonus == 0


def test_a_second_run_changes_nothing_and_proposes_what_is_new_or_changed(games: Path, settings: Any) -> None:
    """The installation has an older version of a shipped environment: it stays what people play."""
    settings.CENTER_URL = "https://center.example.org/"
    shutil.move(games / "ck01", games.parent / "ck01")
    (games / "wk01" / "NOTE.md").write_text("The developer's.")
    Environment.objects.create(code="sp01", title="A specification")
    first, _ = prepare(games)
    ours = {
        "current": Version.objects.get(environment__code="wk01"),
        "note": "Ours.",
        "title": "Ours",
        "release_set": ReleaseSet.SEMI_PRIVATE,
    }
    Environment.objects.filter(code="wk01").update(**ours)
    before = list(Staff.objects.order_by("pk").values_list("pk", "password"))
    Study.objects.update(name="Ours")
    shutil.move(games.parent / "ck01", games / "ck01")
    source = games / "wk01" / "wk01.py"
    source.write_text(source.read_text() + "# changed\n")
    output, complaints = prepare(games)
    assert list(Staff.objects.order_by("pk").values_list("pk", "password")) == before
    assert [study.name for study in Study.objects.all()] == ["Ours"]
    wk01 = Environment.objects.get(code="wk01")
    assert {name: getattr(wk01, name) for name in ours} == ours
    assert set(Environment.objects.values_list("code", flat=True)) == {"wk01", "sp01"}
    assert Version.objects.count() == 1
    assert "shipped and not loaded: ck01 (new), wk01 (changed)." in output
    assert passwords(output) == {}
    assert not any(password in output for password in passwords(first).values())
    assert all(address in output for address in ADDRESSES)
    assert complaints == ""


def test_the_studio_proposes_what_is_shipped_and_loads_what_is_chosen(games: Path, settings: Any) -> None:
    settings.GAMES_DIR = games
    shutil.move(games / "ck01", games.parent / "ck01")
    prepare(games)
    shutil.move(games.parent / "ck01", games / "ck01")
    source = games / "wk01" / "wk01.py"
    source.write_text(source.read_text() + "# changed\n")
    lead = signed_in(Role.LEAD)
    page = lead.get("/staff/environments/import/").content.decode()
    assert 'value="ck01" checked' in page
    assert 'value="wk01" checked' in page
    address = "/staff/environments/import/shipped/"
    assert lead.post(address, {"kind": "interactive", "code": ["none"]}).status_code == 409
    assert lead.post(address, {"kind": "interactive", "code": ["wk01"]}).status_code == 302
    do_import(Import.objects.get().pk)
    assert Version.objects.filter(environment__code="wk01").count() == 2
    assert [one.code for one in proposals(games)] == ["ck01"]


def test_nothing_shipped_is_proposed_to_a_lead_before_all_is_prepared(games: Path) -> None:
    lead, left = staff(Role.LEAD), left_to_prepare()
    left.parent.mkdir()
    left.touch()
    assert waiting_for(games, lead).number == 0
    left.unlink()
    assert waiting_for(games, lead).number == 2


def test_what_the_first_page_does_not_need_can_follow(games: Path) -> None:
    """The recordings are left, and noted as left until they are stored."""
    record_a_win(games / "wk01")
    prepare(games, "first")
    assert Study.objects.exists()
    assert left_to_prepare().exists()
    assert not Recording.objects.exists()
    prepare(games, "first")
    assert not Recording.objects.exists()
    output, _ = prepare(games, "rest")
    assert Recording.objects.exists()
    assert not left_to_prepare().exists()
    assert output == ""


def test_what_is_broken_is_named_with_its_reason_and_stops_nothing(games: Path) -> None:
    (games / "ck01" / "ck01.py").write_text("not python at all")
    (games / "wk01" / CARD_FILE).write_text("{")
    _, complaints = prepare(games)
    assert re.match(r"environment ck01 rejected: import_failed: .*ck01\.py", complaints)
    assert "card wk01 rejected: card_malformed" in complaints
    assert [environment.code for environment in Study.objects.get().pool.all()] == ["wk01"]
    assert not SpecificationCard.objects.exists()


def test_what_comes_with_the_product_has_its_card(games: Path) -> None:
    shutil.copy(GAMES / "kr68" / CARD_FILE, games / "wk01")
    prepare(games)
    card = SpecificationCard.objects.get()
    assert (card.environment.code, card.author.username, card.revision) == ("wk01", "lead", 1)
    content = content_of_environment(card.environment)
    assert content is not None
    assert content.as_json() == json.loads((GAMES / "kr68" / CARD_FILE).read_text())
    (games / "wk01" / CARD_FILE).write_text("{}")
    assert prepare(games)[1] == ""
    assert SpecificationCard.objects.get().revision == 1


def _evidence(folder: Path) -> None:
    """What its makers would have: qualified, and never won by chance in many tries."""
    version = Version.objects.get(environment__code=folder.name)
    moment = version.imported_at - timedelta(days=1)
    done: dict[str, Any] = {"version": version, "seed": 1, "status": JobStatus.DONE}
    done |= dict.fromkeys(("requested_at", "started_at", "finished_at"), moment)
    checks = [{"code": "first_level_won_by_chance", "passed": True, "note": True, "recording": 5}]
    report = {"passed": True, "rules": RULES, "checks": checks}
    Qualification.objects.create(full=True, passed=True, steps=FULL_STEPS, report=report, **done)
    counts = {"tries": 40_000, "wins": [], "lost": 0, "stuck": 0, "actions": 9, "faults": {}}
    nothing_won = counts | {"clicks": "uniform", "informed": None, "splitting": None}
    for level in range(2, version.levels + 1):
        RandomPlay.objects.create(level=level, number=0, budget=99, report=nothing_won, **done)
    write_evidence(version, folder / EVIDENCE_FILE)
    version.qualifications.all().delete()
    version.randomplays.all().delete()


def test_evidence_that_comes_with_the_product_counts_instead_of_a_waiver(games: Path) -> None:
    record_a_win(games / "wk01")
    prepare(games, "first")
    _evidence(games / "wk01")
    file = games / "ck01" / EVIDENCE_FILE
    shutil.copy(games / "wk01" / EVIDENCE_FILE, file)  # of another version
    assert prepare(games, "rest")[1] == ""
    environment = Environment.objects.get(code="wk01")
    facts = facts_of(environment)
    for need in (Need.QUALIFIED, Need.UNGUESSABLE):
        assert facts[need].met
        assert not facts[need].waived
    assert facts[Need.PLAYED].waived
    assert not {Need.QUALIFIED, Need.UNGUESSABLE} & {*waivers.granted([environment])[environment.pk]}
    assert Qualification.objects.get().report["checks"][0]["recording"] is None
    page = signed_in(Role.DESIGNER).get("/staff/environments/wk01/random-play/2/").content.decode()
    assert "the product&#x27;s makers" in page
    assert facts_of(Environment.objects.get(code="ck01"))[Need.QUALIFIED].waived
    assert environment.current is not None
    assert not take_evidence(environment.current, games / "wk01" / EVIDENCE_FILE), "it is there"


@pytest.mark.parametrize("file", sorted(GAMES.glob(f"*/{EVIDENCE_FILE}")), ids=lambda file: file.parent.name)
def test_shipped_evidence_is_of_the_shipped_source(file: Path) -> None:
    """`make evidence` makes it anew."""
    content = json.loads(file.read_text())
    assert content["version"] == load(file.parent).digest
    qualified = content["qualification"]
    assert qualified is None or qualified["report"]["rules"] == RULES


@pytest.mark.parametrize(
    "text", ["{", "[]", '{"version": "%s", "plays": [{"level": 2}], "qualification": null}']
)
def test_evidence_that_cannot_be_read_is_named_and_stops_nothing(games: Path, text: str) -> None:
    prepare(games, "first")
    (games / "wk01" / EVIDENCE_FILE).write_text(text.replace("%s", load(games / "wk01").digest))
    assert "evidence wk01 rejected: evidence_malformed" in prepare(games, "rest")[1]
    assert not RandomPlay.objects.exists()


def test_no_study_is_created_without_an_environment(games: Path) -> None:
    shutil.rmtree(games)
    games.mkdir()
    prepare(games)
    assert not Study.objects.exists()


def test_a_missing_folder_is_an_error_with_a_code(games: Path) -> None:
    with pytest.raises(CommandError, match=r"^folder_missing: "):
        prepare(games / "nowhere")


@pytest.fixture
def shipped(games: Path) -> Study:
    """The demonstration's study after play, with one environment."""
    shutil.rmtree(games / "ck01")
    record_a_win(games / "wk01")
    prepare(games)
    Staff.objects.create(username="designer", role=Role.DESIGNER)
    study = Study.objects.get()
    Study.objects.update(name=INTERACTIVE.name, rehearsal=True)
    return study


def test_shipped_environments_stand_in_external_and_say_what_is_waived(shipped: Study) -> None:
    environment = Environment.objects.get()
    assert [move.after for move in StageMove.objects.order_by("pk")] == ["internal", "external"]
    waived = waivers.granted([environment])[environment.pk]
    assert {"card", "played", "qualified", "unguessable"} <= {*waived}
    assert {one.reason for one in waived.values()} == {SHIPPED}
    fill_studio(shipped)
    assert Environment.objects.get().owner == Staff.objects.get(role=Role.DESIGNER)
    requeued: list[int] = []
    assert explorations.requeue_stalled(timezone.now(), requeued.append) == [Exploration.objects.get().pk]
    fill_studio(shipped)
    assert Exploration.objects.count() == 1


def test_the_demonstration_changes_no_environment_that_staff_have_changed(shipped: Study) -> None:
    lead = Staff.objects.get(role=Role.LEAD)
    Environment.objects.update(owner=lead)
    fill_studio(shipped)
    assert Environment.objects.get().owner == lead
    assert not Exploration.objects.exists()


def test_other_environments_than_those_that_were_played_get_no_demonstration(games: Path) -> None:
    complaints = StringIO()
    call_command("prepare", "--games", str(games), "--only", "first", stdout=StringIO(), stderr=complaints)
    assert "demonstration not loaded: versions_missing: " in complaints.getvalue()
    assert [study.name for study in Study.objects.all()] == ["Pilot"]


def test_in_the_demonstration_three_people_can_review_and_nobody_has_two_roles() -> None:
    assert sum(may(role, Right.REVIEW_EFFORT) for role in ACCOUNTS.values()) >= 3
    assert set(ACCOUNTS.values()) == set(Role)
