"""deploy/upgrade --back sets aside what came after the upgrade, also where DATA_DIR is a disk of its own."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SAYS = '#!/bin/sh\necho "$(basename "$0") $*" >>"$DESTDIR/log"\n'
PROGRAMS = {
    "systemctl": SAYS,
    "runuser": SAYS,
    "install": '#!/bin/sh\nmkdir -p "$(for last; do :; done; echo "$last")"\n',
}


def written(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


@pytest.mark.parametrize(("is_disk", "left"), [(0, "var/lib/playtest/left-*"), (1, "var/lib/playtest-*")])
def test_the_way_back_empties_the_folder_of_data_and_keeps_what_it_held(
    tmp_path: Path, is_disk: int, left: str
) -> None:
    home, data = tmp_path / "opt/playtest", tmp_path / "var/lib/playtest"
    for name, text in (PROGRAMS | {"mountpoint": f"#!/bin/sh\nexit {is_disk}\n"}).items():
        written(tmp_path / "bin" / name, text)
    for name in ("deploy/manage", "scripts/install-packages", ".venv/bin/python"):
        written(home / name, SAYS)
    shutil.copy(ROOT / "deploy/upgrade", home / "deploy/upgrade")
    git = ("git", "-c", "user.name=test", "-c", "user.email=test@example.org")
    for command in (("init", "-q"), ("add", "deploy", "scripts"), ("commit", "-qm", "before")):
        subprocess.run([*git, *command], cwd=home, check=True)
    written(tmp_path / "var/backups/playtest/way-back", "HEAD playtest-20261126T120000Z\n")
    written(
        tmp_path / "etc/playtest/environment", "DATABASE_URL=postgresql://playtest:x@127.0.0.1/playtest\n"
    )
    written(data / "exports/of the days after", "kept")
    (data / "lost+found").mkdir()

    variables = {**os.environ, "DESTDIR": str(tmp_path), "PATH": f"{tmp_path}/bin:{os.environ['PATH']}"}
    done = subprocess.run(
        ["deploy/upgrade", "--back"], cwd=home, env=variables, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    [aside] = tmp_path.glob(left)
    assert str(aside) in done.stdout
    assert (aside / "exports/of the days after").read_text() == "kept"
    assert {one.name for one in data.iterdir()} <= {aside.name, "lost+found"}
    log = (tmp_path / "log").read_text().splitlines()
    stopped = log.index("systemctl stop playtest-*")
    assert [line.split()[1] for line in log[stopped:] if line.startswith("manage")] == [
        *("backup", "restore", "prepare"),
    ]
