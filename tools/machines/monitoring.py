"""Prometheus with deploy/monitoring on a machine: what alerts and panels say while people play."""

import asyncio
import json
import urllib.parse
from typing import Any

from tests.live.seeder import ROOT
from tools.machines.installation import DEPLOY, Installation
from tools.machines.machine import Machine

_SCRAPES_SECONDS = 70.0


async def watch(installation: Installation, machine: Machine) -> list[str]:
    """Lets it scrape for a minute; lines on panels without data and on alerts that fire."""
    machine.write("/etc/prometheus/playtest-token", installation.token)
    machine.shell(
        "mkdir -p /var/lib/trial-prometheus; cd /etc/prometheus;"
        f"cp {DEPLOY}/monitoring/*.yml .; promtool check config prometheus.yml >/dev/null;"
        "systemd-run --quiet --unit=trial-prometheus prometheus --config.file=/etc/prometheus/prometheus.yml"
        " --storage.tsdb.path=/var/lib/trial-prometheus --web.listen-address=127.0.0.1:9090"
    )
    await asyncio.sleep(_SCRAPES_SECONDS)
    dashboard = json.loads((ROOT / "deploy" / "monitoring" / "grafana-dashboard.json").read_text())
    shown = [(panel["title"], target["expr"]) for panel in dashboard["panels"] for target in panel["targets"]]
    empty = [
        f"no data in “{title}”: {expression}"
        for title, expression in shown
        if not _asked(machine, "query", query=expression.replace("$__rate_interval", "1m"))["result"]
    ]
    groups = _asked(machine, "rules")["groups"]
    rules = [rule for group in groups for rule in group["rules"]]
    failed = [f"rule {rule['name']}: {rule['lastError']}" for rule in rules if rule["health"] != "ok"]
    firing = sorted(rule["name"] for rule in rules if rule["state"] == "firing")
    up = _asked(machine, "query", query="sum(up)")["result"][0]["value"][1]
    return [
        f"{up} processes scraped; {len(shown)} expressions of the dashboard, {len(empty)} without data",
        *empty,
        f"{len(rules)} alerts, {len(failed)} fail, firing: {', '.join(firing) or 'none'}",
        *failed,
    ]


def _asked(machine: Machine, what: str, **query: str) -> Any:
    address = f"http://127.0.0.1:9090/api/v1/{what}?{urllib.parse.urlencode(query)}"
    answer = json.loads(machine.run("curl", "--silent", address))
    assert answer["status"] == "success", answer
    return answer["data"]
