"""`manage.py prepare`: a fresh machine is ready after it, and a second run changes nothing."""

import re
import shutil
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from playtest.people.models import Staff
from playtest.people.roles import Role
from playtest.play.models import Study

pytestmark = [pytest.mark.django_db, pytest.mark.once]

ENVIRONMENTS = Path(__file__).parents[1] / "environments"


@pytest.fixture
def games(tmp_path: Path, settings: Any) -> Path:
    settings.DATA_DIR = tmp_path / "data"
    folder = tmp_path / "games"
    for code in ("wk01", "ck01"):
        shutil.copytree(ENVIRONMENTS / code, folder / code)
    return folder


def prepare(games: Path) -> tuple[str, str]:
    """What it prints, and what it complains of."""
    output, complaints = StringIO(), StringIO()
    call_command("prepare", "--games", str(games), without_demo=True, stdout=output, stderr=complaints)
    return output.getvalue(), complaints.getvalue()


def test_a_fresh_machine_gets_a_study_with_every_environment(games: Path) -> None:
    prepare(games)
    study = Study.objects.get()
    assert [environment.code for environment in study.pool.all()] == ["ck01", "wk01"]
    assert study.open


def test_each_role_gets_an_account_whose_password_is_printed_once(games: Path) -> None:
    output, _ = prepare(games)
    printed = dict(re.findall(r"^  (\w+) +(\S+)$", output, re.MULTILINE))
    assert set(printed) == {role.value for role in Role}
    for name, password in printed.items():
        assert Staff.objects.get(username=name, role=name).check_password(password)
    assert "manage.py changepassword lead" in output
    again, _ = prepare(games)
    assert not any(password in again for password in printed.values())


@pytest.mark.services
def test_a_second_run_changes_nothing(games: Path) -> None:
    prepare(games)
    before = list(Staff.objects.order_by("pk").values_list("pk", "password"))
    Study.objects.update(name="Ours")
    output, complaints = prepare(games)
    assert list(Staff.objects.order_by("pk").values_list("pk", "password")) == before
    assert [study.name for study in Study.objects.all()] == ["Ours"]
    assert "imported" not in output
    assert complaints == ""


def test_addresses_are_printed_each_time(games: Path, settings: Any) -> None:
    settings.PORT = 8123
    for _ in range(2):
        output, _ = prepare(games)
        assert "http://127.0.0.1:8123/\n" in output
        assert "http://127.0.0.1:8123/staff/\n" in output


def test_a_broken_environment_is_named_with_its_reason_and_stops_nothing(games: Path) -> None:
    (games / "ck01" / "ck01.py").write_text("not python at all")
    _, complaints = prepare(games)
    assert re.match(r"environment ck01 rejected: import_failed: .*ck01\.py", complaints)
    assert [environment.code for environment in Study.objects.get().pool.all()] == ["wk01"]


def test_no_environment_means_no_study_yet(games: Path) -> None:
    shutil.rmtree(games)
    games.mkdir()
    prepare(games)
    assert not Study.objects.exists()


def test_a_missing_folder_is_an_error_with_a_code(games: Path) -> None:
    with pytest.raises(CommandError, match=r"^folder_missing: "):
        prepare(games / "nowhere")
