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
    named = {name for one in expressions() for name in METRIC.findall(one)}
    assert len(named) > 15
    assert named - served == set()
    ours = {name for name in types if name.startswith("playtest_") and not name.endswith("_created")}
    documented = set(METRIC.findall((ROOT / "docs" / "operation.md").read_text()))
    assert ours - documented == set(), "every metric is in docs/operation.md"


def test_units_and_compose_name_processes_of_the_procfile() -> None:
    processes = set(re.findall(r"^(\w+):", (ROOT / "Procfile").read_text(), re.MULTILINE))
    compose = (DEPLOY / "compose" / "compose.yaml").read_text()
    assert set(re.findall(r"run-from-procfile, (\w+)", compose)) == processes - {"web"}


def test_example_settings_are_documented_variables() -> None:
    documented = (ROOT / "docs" / "configuration.md").read_text()
    for file in (DEPLOY / "environment.example", DEPLOY / "compose" / ".env.example"):
        names = re.findall(r"^([A-Z_]+)=", file.read_text(), re.MULTILINE)
        assert [name for name in names if name not in documented and name != "POSTGRES_PASSWORD"] == []


def test_compose_and_systemd_use_the_same_proxy_configuration() -> None:
    alone = (DEPLOY / "nginx" / "playtest.conf").read_text()
    composed = (DEPLOY / "compose" / "playtest.conf").read_text()
    assert composed == alone.replace("127.0.0.1:8001", "web1:8000").replace("127.0.0.1:8002", "web2:8000")


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
    text = text.replace("/var/log/nginx", str(tmp_path))
    whole = tmp_path / "nginx.conf"
    whole.write_text(f"pid {tmp_path}/pid;\nevents {{}}\nhttp {{\n{text}\n}}\n")
    done = subprocess.run(
        ["nginx", "-t", "-p", str(tmp_path), "-c", str(whole), "-e", str(tmp_path / "log")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_units_are_valid(tmp_path: Path) -> None:
    for file in (DEPLOY / "systemd").iterdir():
        text = file.read_text().replace("/opt/playtest", str(ROOT)).replace("User=playtest", "User=daemon")
        name = file.name.replace("@.", "@8001.")
        (tmp_path / name).write_text(text.replace("Group=playtest", "Group=daemon"))
    units = sorted(str(path) for path in tmp_path.iterdir())
    done = subprocess.run(["systemd-analyze", "verify", "--man=no", *units], capture_output=True, text=True)
    ours = [line for line in done.stderr.splitlines() if "playtest" in line]
    assert ours == []
