"""Measures the page of a study's static tasks, and its files, at the size of the ARC-AGI-2 paper's study.

`make bench ARGS=static-tasks`. The database is a new one, and is thrown away.
"""

import sys
import tempfile
from pathlib import Path

import django

from tests.bench.insight_steps import measured, milliseconds
from tests.databases import make_template
from tests.live.server import Server

STEPS = "tests.bench.static_tasks"


def main() -> None:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        server = Server(folder / "server", make_template(folder))
        for step in ("generate", "pages"):
            print(server.run("-m", STEPS, step), flush=True)


def generate() -> None:
    from playtest.insight.services.results import bring_up_to_date
    from playtest.play.models import Attempt, Entry
    from tests.bench import static_tasks_data

    took, _ = milliseconds(static_tasks_data.generate)
    entries, attempts = Entry.objects.count(), Attempt.objects.count()
    print(f"{entries:,} entries of {attempts:,} attempts, made in {took / 1000:.0f} s")
    took, _ = milliseconds(lambda: bring_up_to_date(Attempt.objects.all()))
    print(f"their results, computed for the first time: {took / 1000:.1f} s")


def pages() -> None:
    from django.conf import settings
    from django.test import Client
    from django.urls import reverse

    from playtest.insight.static_tasks.figures import DRAWN
    from playtest.insight.static_tasks.files import FILES, OF_ANSWERS
    from playtest.people.models import Staff
    from playtest.people.roles import Role
    from playtest.play.models import Study

    settings.ALLOWED_HOSTS = ["testserver"]
    client = Client()
    lead, _ = Staff.objects.get_or_create(username="lead", defaults={"role": Role.LEAD})
    client.force_login(lead, backend="django.contrib.auth.backends.ModelBackend")
    study = Study.objects.order_by("pk")[0]
    page = reverse("insight:study-tasks", args=[study.pk])
    files = [f"{page}figures/{name}.csv" for name in (*FILES, *DRAWN, *OF_ANSWERS)]
    print("| address | first ms | warm ms (p50) | of which CPU | KB |\n| --- | --- | --- | --- | --- |")
    for address in (page, *files, reverse("insight:study", args=[study.pk])):
        row = next(measured(client, address))
        times = " | ".join(f"{value:.0f}" for value in (row.first, row.warm, row.cpu, row.kilobytes))
        print(f"| {row.address} | {times} |")


if __name__ == "__main__":
    django.setup()
    {"generate": generate, "pages": pages}[sys.argv[1]]()
