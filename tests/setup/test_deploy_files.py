"""What deploy/ names exists, as metrics and processes; nginx and systemd take their configuration."""

import json
import re
import shutil
import subprocess
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
METRIC = re.compile(r"\b(?:playtest|process)_[a-z_]+")
LABEL = re.compile(r'"[^"]*"')
pytestmark = pytest.mark.once


def expressions() -> list[str]:
    dashboard = json.loads((DEPLOY / "monitoring" / "grafana-dashboard.json").read_text())
    panels = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    alerts = (DEPLOY / "monitoring" / "playtest-alerts.yml").read_text()
    return panels + re.findall(r"expr: (.*)", alerts)


def test_every_metric_of_dashboard_and_alerts_is_served(port: int) -> None:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=30) as answer:
        text = answer.read().decode()
    types = dict(re.findall(r"^# TYPE (\S+) (\S+)$", text, re.MULTILINE))
    served = set(types) | {
        f"{name}_{part}"
        for name, kind in types.items()
        if kind == "histogram"
        for part in ("bucket", "count", "sum")
    }
    named = {name for one in expressions() for name in METRIC.findall(LABEL.sub("", one))}
    assert len(named) > 15
    assert named - served == set()
    ours = {name for name in types if name.startswith("playtest_") and not name.endswith("_created")}
    documented = set(METRIC.findall((ROOT / "docs" / "operation.md").read_text()))
    assert ours - documented == set(), "every metric is in docs/operation.md"


def test_units_and_compose_name_processes_of_the_procfile() -> None:
    processes = set(re.findall(r"^(\w+):", (ROOT / "Procfile").read_text(), re.MULTILINE))
    compose = (DEPLOY / "compose" / "compose.yaml").read_text()
    assert set(re.findall(r"run-from-procfile, (\w+)", compose)) == processes - {"web"}


def test_images_can_be_named_by_digest_and_backups_are_made_and_kept_outside_of_the_data() -> None:
    folder = DEPLOY / "compose"
    compose = (folder / "compose.yaml").read_text()
    images = set(re.findall(r"^ +image: (.*)$", compose, re.MULTILINE)) - {"playtest"}
    assert len(images) == 5
    assert [image for image in images if not re.fullmatch(r"\$\{[A-Z]+_IMAGE:-[\w./:-]+\}", image)] == []
    assert "ARG PYTHON_IMAGE=" in (folder / "Dockerfile").read_text()
    services = set(re.findall(r"^  ([\w-]+):", compose.split("\nservices:")[1], re.MULTILINE))
    upgrade = (folder / "upgrade").read_text()
    asked = set(re.findall(r"--rm (?:--no-deps )?(\w+)", upgrade)) | set(re.findall(r"web\d", upgrade))
    assert asked == {"backup", "prepare", "web1", "web2"} <= services
    replaced = upgrade.split("for one in web1 web2; do")[1].split("done")[0]
    assert "exec -T proxy nginx -s reload" in replaced, "a new container may have another address"
    assert compose.count("*with_backups") + compose.count("&with_backups") == 2


def test_example_settings_are_documented_variables() -> None:
    documented = (ROOT / "docs" / "configuration.md").read_text()
    for file in (DEPLOY / "environment.example", DEPLOY / "compose" / ".env.example"):
        names = re.findall(r"^([A-Z_]+)=", file.read_text(), re.MULTILINE)
        assert [name for name in names if name not in documented and name != "POSTGRES_PASSWORD"] == []


def test_compose_and_systemd_use_the_same_proxy_configuration() -> None:
    alone = (DEPLOY / "nginx" / "playtest.conf").read_text()
    for ours, theirs in (
        ("127.0.0.1:8001", "web1:8000"),
        ("127.0.0.1:8002", "web2:8000"),
        (
            "https://playtest.example.org$",
            "https://$host$",
        ),  # deploy/install puts the name in; here nobody does
    ):
        assert ours in alone
        alone = alone.replace(ours, theirs)
    assert (DEPLOY / "compose" / "playtest.conf").read_text() == alone


@pytest.mark.skipif(shutil.which("nginx") is None, reason="nginx is not installed")
@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
def test_nginx_takes_its_configuration(tmp_path: Path) -> None:
    key, certificate = tmp_path / "privkey.pem", tmp_path / "fullchain.pem"
    command = "openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=playtest.example.org".split()
    subprocess.run([*command, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    proxy = DEPLOY / "nginx" / "playtest-proxy.conf"
    text = (DEPLOY / "nginx" / "playtest.conf").read_text()
    text = text.replace("/etc/nginx/playtest-proxy.conf", str(proxy)).replace(
        "/etc/ssl/playtest", str(tmp_path)
    )
    whole = tmp_path / "nginx.conf"
    whole.write_text(f"pid {tmp_path}/pid;\nevents {{}}\nhttp {{\n{text}\n}}\n")
    done = subprocess.run(
        ["nginx", "-t", "-p", str(tmp_path), "-c", str(whole), "-e", str(tmp_path / "log")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def copied_units(folder: Path) -> list[str]:
    """The units and what they have in common, under names that systemd-analyze takes."""
    for file in (DEPLOY / "systemd").rglob("*.*"):
        if file.is_file():
            place = folder / file.relative_to(DEPLOY / "systemd").with_name(file.name.replace("@.", "@8001."))
            place.parent.mkdir(exist_ok=True)
            text = file.read_text().replace("/opt/playtest", str(ROOT)).replace("=playtest\n", "=daemon\n")
            place.write_text(text)
    return sorted(str(path) for path in folder.iterdir() if path.is_file())


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_units_are_valid_and_have_what_all_have_in_common(tmp_path: Path) -> None:
    units = copied_units(tmp_path)
    done = subprocess.run(["systemd-analyze", "verify", "--man=no", *units], capture_output=True, text=True)
    ours = [line for line in done.stderr.splitlines() if "playtest" in line]
    assert ours == []


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_what_an_intruder_in_a_unit_could_reach_is_little(tmp_path: Path) -> None:
    services = [unit for unit in copied_units(tmp_path) if unit.endswith(".service")]
    command = ["systemd-analyze", "security", "--offline=yes", "--threshold=40"]
    done = subprocess.run([*command, *services], capture_output=True, text=True, check=False)
    levels = re.findall(r"exposure level for (\S+): (\S+)", done.stdout)
    assert len(levels) == len(services) >= 3
    assert [(name, level) for name, level in levels if float(level) > 4] == []
    assert done.returncode == 0


def test_a_unit_says_nothing_that_all_units_have_in_common() -> None:
    common = (DEPLOY / "systemd" / "playtest-.service.d" / "all.conf").read_text()
    names = set(re.findall(r"^(\w+)=", common, re.MULTILINE)) - {"ReadWritePaths"}
    for unit in (DEPLOY / "systemd").glob("*.service"):
        assert unit.name.startswith("playtest-")
        assert not names & set(re.findall(r"^(\w+)=", unit.read_text(), re.MULTILINE)), unit.name


@pytest.mark.parametrize("name", ["nginx/playtest.conf", "compose/playtest.conf"])
def test_no_server_of_the_proxy_logs_what_was_asked_for(name: str) -> None:
    """Personal links are paths. Lines of its error log name the path, too, of whatever level."""
    blocks = (DEPLOY / name).read_text().split("\nserver {")[1:]
    assert len(blocks) == 2
    for block in blocks:
        assert re.findall(r"access_log (\S+);", block) == ["off"]
        assert re.findall(r"error_log (.*);", block) == ["/dev/null emerg"]
    assert "listen 80 default_server;" in blocks[0], "requests by other names, too"
    assert "listen 443 ssl http2 default_server;" in blocks[1]
