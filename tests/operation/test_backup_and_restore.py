"""A backup made while people play is restored into a fresh place, where they go on."""

import subprocess
import sys
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest

from playtest.operation.backup.services import Manifest, data_files, digests_in, make_backup, read_manifest
from tests.live.games import WALK
from tests.live.server import ROOT, Server
from tests.live.station import Station, same
from tests.refusals import refused


def manage(environment: dict[str, str], *arguments: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    return done.returncode, done.stdout + done.stderr


def fresh_place(server: Server, folder: Path) -> dict[str, str]:
    """The settings of an empty DATA_DIR, and of an empty database."""
    environment = {**server.environment, "DATA_DIR": str(folder)}
    if server.database.startswith("postgres"):
        address, _, _ = server.database.rpartition("/")
        name = f"restored_{uuid.uuid4().hex[:12]}"
        with psycopg.connect(f"{address}/postgres", autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}"')
        environment["DATABASE_URL"] = f"{address}/{name}"
    return environment


def mode_of(path: Path) -> int:
    return path.stat().st_mode


@pytest.mark.long
async def test_a_backup_is_restored_and_people_go_on(
    make_server: Callable[..., Server], tmp_path: Path
) -> None:
    server = make_server()
    port = server.start()
    person = server.seed(pool=["wk01"])["people"][0]
    (server.folder / "exports").mkdir(exist_ok=True)
    (server.folder / "exports" / "one.csv").write_text("kept")
    async with Station(port, person["seat"]) as station:
        await station.begin()
        for action in WALK[:3]:
            await station.act(action)
        backup = Path(server.manage("backup", "--to", str(tmp_path / "backups")).split("\n")[0])
        await station.act(WALK[3])  # after the backup: this one will be lost
    assert mode_of(backup) & 0o077 == 0, "others read no record, and no key"
    (backup.parent / "withdrawals.jsonl").unlink()  # which was kept beside it
    restored = fresh_place(server, tmp_path / "restored")
    code, said = manage(restored, "restore", str(backup))
    assert code == 0, said
    assert "withdrawals_missing" in said
    assert (tmp_path / "restored" / "exports" / "one.csv").read_text() == "kept"
    for key in ("secret_key", "record_key.pem"):
        if (server.folder / key).exists():
            assert (tmp_path / "restored" / key).read_text() == (server.folder / key).read_text()
    code, said = manage(restored, "audit")
    assert code == 0, said
    code, said = manage(restored, "restore", str(backup))
    assert code == 1
    assert "not_fresh" in said, "nothing is overwritten"
    again = Server.__new__(Server)
    again.__dict__ |= {
        **server.__dict__,
        "folder": tmp_path / "restored",
        "environment": restored,
        "processes": {},
    }
    try:
        async with Station(again.start(), person["seat"]) as later:
            turn = await later.begin()
            assert turn.sequence == 3, "what was played until the backup"
            assert (await later.act(WALK[3])).sequence == 4
            assert same(later.frame, station.frame)
    finally:
        again._own_seeder = None
        again.stop()


@pytest.mark.once
@pytest.mark.parametrize("harm", ["flip_a_byte", "add_a_file", "remove_a_file", "remove_the_manifest"])
def test_damaged_backups_are_refused(tmp_path: Path, harm: str) -> None:
    file = tmp_path / "files" / "exports" / "one.csv"
    file.parent.mkdir(parents=True)
    file.write_text("kept")
    manifest = Manifest(
        "2026-11-23", "sqlite", [["play", "0001_initial"]], {"play_entry": 3}, digests_in(tmp_path)
    )
    manifest.write(tmp_path)
    assert read_manifest(tmp_path) == manifest
    match harm:
        case "flip_a_byte":
            file.write_text("kepu")
        case "add_a_file":
            (tmp_path / "files" / "another").write_text("from elsewhere")
        case "remove_a_file":
            file.unlink()
        case "remove_the_manifest":
            (tmp_path / "manifest.json").unlink()
    with refused("backup_damaged"):
        read_manifest(tmp_path)


@pytest.mark.once
def test_a_backup_has_nothing_that_every_start_makes_anew(tmp_path: Path, settings: Any) -> None:
    settings.DATA_DIR, settings.ASSETS_DIR = tmp_path, tmp_path / "assets"
    names = ("secret_key", "exports/one.csv", "assets/built-from", "broker/messages/1", "prepare.lock")
    for name in (*names, "playtest.sqlite3-wal", "beat-schedule"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    backed_up = [str(path.relative_to(tmp_path)) for path in data_files(tmp_path)]
    assert backed_up == ["exports/one.csv", "secret_key"]


@pytest.mark.once
def test_a_backup_is_not_kept_among_the_data(tmp_path: Path, settings: Any) -> None:
    settings.DATA_DIR = tmp_path
    with refused("backup_place_unusable"):
        make_backup(tmp_path / "backups")
    assert not list(tmp_path.iterdir())
