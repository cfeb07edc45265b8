"""`manage.py prepare` makes a fresh machine ready, and a second run changes nothing."""

import json
import re
import shutil
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from engine.play.actions import Action
from engine.play.source import load
from playtest.management.commands.prepare import ACCOUNTS, SHIPPED
from playtest.people.models import Staff
from playtest.people.roles import Right, Role, may
from playtest.play.models import Study
from playtest.rehearsal.demonstration import INTERACTIVE
from playtest.rehearsal.demonstration_studio import fill_studio
from playtest.serve.deployment import left_to_prepare
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
from playtest.studio.services import explorations, qualifications, random_plays
from playtest.studio.services.cards import CARD_FILE
from playtest.studio.services.imports import do_import
from playtest.studio.services.shipped import proposals
from tests.live.games import WALK
from tests.staff import signed_in
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
    assert not Qualification.objects.get().full
    requeued: list[int] = []
    now = timezone.now()
    assert qualifications.requeue_stalled(now, requeued.append)
    assert explorations.requeue_stalled(now, requeued.append) == [Exploration.objects.get().pk]
    assert random_plays.requeue_stalled(now, requeued.append) == [RandomPlay.objects.get().pk]
    fill_studio(shipped)
    assert Qualification.objects.count() == 1


def test_the_demonstration_changes_no_environment_that_staff_have_changed(shipped: Study) -> None:
    lead = Staff.objects.get(role=Role.LEAD)
    Environment.objects.update(owner=lead)
    fill_studio(shipped)
    assert Environment.objects.get().owner == lead
    assert not Qualification.objects.exists()


def test_other_environments_than_those_that_were_played_get_no_demonstration(games: Path) -> None:
    complaints = StringIO()
    call_command("prepare", "--games", str(games), "--only", "first", stdout=StringIO(), stderr=complaints)
    assert "demonstration not loaded: versions_missing: " in complaints.getvalue()
    assert [study.name for study in Study.objects.all()] == ["Pilot"]


def test_in_the_demonstration_three_people_can_review_and_nobody_has_two_roles() -> None:
    assert sum(may(role, Right.REVIEW_EFFORT) for role in ACCOUNTS.values()) >= 3
    assert set(ACCOUNTS.values()) == set(Role)
