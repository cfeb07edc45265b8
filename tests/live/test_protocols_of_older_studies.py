"""A database without protocol versions is migrated with its data."""

import json
import os
import subprocess
import sys
import uuid
from typing import Any

import psycopg
import pytest

from tests.live.older_studies import at
from tests.live.seeder import ROOT, SETTINGS

pytestmark = [pytest.mark.services, pytest.mark.long]


@pytest.fixture(scope="module")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    environment = {**os.environ, **SETTINGS, "DATA_DIR": str(tmp_path_factory.mktemp("data"))}
    if url := os.environ.get("DATABASE_URL"):
        server, _, _ = url.rpartition("/")
        name = f"older_{uuid.uuid4().hex[:12]}"
        with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}"')
        environment["DATABASE_URL"] = f"{server}/{name}"
    command = [sys.executable, "-m", "tests.live.older_studies"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def versions(migrated: dict[str, Any], study: str) -> list[dict[str, Any]]:
    return [version for version in migrated["versions"] if version["study"] == study]


def test_each_change_became_a_version_with_author_time_and_reason(migrated: dict[str, Any]) -> None:
    played = versions(migrated, "Played")
    assert [(one["number"], one["by"], one["created"], one["reason"]) for one in played] == [
        (1, "lead", at(0).isoformat(), ""),
        (2, "lead", at(2).isoformat(), "after 2 hours"),
        (3, "lead", at(4).isoformat(), "after 4 hours"),
    ]
    assert [one["document"]["limits"]["hard_seconds"] for one in played] == [1800, 2700, 2700]
    assert [one["document"]["environments"] for one in played] == [
        ["wk01"],
        ["ck01", "wk01"],
        ["ck01", "wk01"],
    ]
    assert [one["document"]["pay"]["fee"] for one in played] == ["115.00", "115.00", "120.00"]
    shares = [one["document"]["effort"]["thresholds"]["no_op_share"] for one in played]
    assert shares == [0.6, 0.6, 0.7]
    assert {one["document"]["consent_text"] for one in played} == {"You may stop."}


def test_former_global_settings_are_in_each_version(migrated: dict[str, Any]) -> None:
    for one in migrated["versions"]:
        assert one["rule"] == [30, 1800]
        assert one["document"]["acceptance"]["solvers"] == 2
        assert one["whole"]


def test_a_session_has_the_version_of_its_check_in(migrated: dict[str, Any]) -> None:
    assert migrated["sessions"] == [
        ["Played", 1], ["Played", 2], ["Played", 2], ["Played", None], ["Waiting", None], ["Rehearsed", None],
    ]  # fmt: skip


def test_a_version_with_a_check_in_or_a_successor_is_frozen(migrated: dict[str, Any]) -> None:
    frozen = {study: [one["frozen"] for one in versions(migrated, study)] for study in STUDIES}
    assert frozen == {
        "Played": [at(1).isoformat(), at(3).isoformat(), None],
        "Waiting": [None],
        "Rehearsed": [at(2).isoformat(), None],
    }


STUDIES = ("Played", "Waiting", "Rehearsed")
