"""`python -m tools.bench.insight_steps generate N|read|pages`: runs one step."""

import contextlib
import logging
import re
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http import HTTPStatus
from itertools import chain

import django
from django.test import Client

WARM = 7
PROMISED_MILLISECONDS = 300


def generate(entries: str) -> None:
    from playtest.play.models import Attempt, Entry
    from tools.bench import insight_data

    took, _ = milliseconds(lambda: insight_data.generate(int(entries)))
    print(
        f"{Entry.objects.count()} entries of {Attempt.objects.count()} attempts, made in {took / 1000:.0f} s"
    )


def read() -> None:
    """What a page does first: look whether anything is new."""
    from playtest.insight.compute.results import bring_up_to_date
    from playtest.play.models import Attempt

    everyone = Attempt.objects.all()
    bring_up_to_date(everyone)
    took = statistics.median(milliseconds(lambda: bring_up_to_date(everyone))[0] for _ in range(WARM))
    print(f"bring up to date, nothing new: {took:.1f} ms")
    rounds = []
    for _ in range(WARM):
        act_everywhere()
        rounds.append(milliseconds(lambda: bring_up_to_date(everyone)))
    took, playing = statistics.median(took for took, _ in rounds), rounds[0][1]
    print(f"bring up to date, one more action in each of {playing} attempts: {took:.1f} ms")


def act_everywhere() -> None:
    """One more action in every attempt that is still played."""
    from playtest.play.models import Attempt, Entry

    for attempt in Attempt.objects.filter(ended_at__isnull=True):
        newest = Entry.objects.filter(attempt=attempt).order_by("-seq")[0]
        newest.pk, newest.seq, newest.level_completed = None, newest.seq + 1, False
        newest.save(force_insert=True)


def pages() -> None:
    from django.conf import settings

    from playtest.people.models import Staff
    from playtest.people.roles import Role

    settings.ALLOWED_HOSTS = ["testserver"]
    logging.getLogger("django.request").setLevel(logging.CRITICAL)
    client = Client()
    lead, _ = Staff.objects.get_or_create(username="lead", defaults={"role": Role.LEAD})
    client.force_login(lead, backend="django.contrib.auth.backends.ModelBackend")
    found, unknown = addresses()
    rows = list(chain.from_iterable(measured(client, address) for address in found))
    print(
        "| address | first ms | warm ms (p50) | of which CPU | KB | |\n| --- | --- | --- | --- | --- | --- |"
    )
    for row in rows:
        over = "over" if row.slowest > PROMISED_MILLISECONDS else ""
        times = " | ".join(f"{value:.0f}" for value in (row.first, row.warm, row.cpu, row.kilobytes))
        print(f"| {row.address} | {times} | {over} |")
    print(f"\nnot pages, or measured through the pages that ask for them: {', '.join(unknown)}")
    late = sum(row.slowest > PROMISED_MILLISECONDS for row in rows)
    print(f"{len(rows)} addresses, {late} over {PROMISED_MILLISECONDS} ms")


@dataclass
class Measured:
    """Milliseconds in this process, without Daphne."""

    address: str
    first: float
    warm: float
    cpu: float
    kilobytes: float

    @property
    def slowest(self) -> float:
        return max(self.first, self.warm)


def measured(client: Client, address: str) -> Iterator[Measured]:
    """An address, if it is a page or a file, and the figures that its page asks for."""

    def get() -> bytes:
        answer = client.get(address)
        return bytes(answer.getvalue()) if answer.status_code == HTTPStatus.OK else b""

    first, body = milliseconds(get)
    if not body:
        return
    began = time.process_time()
    warm = statistics.median(milliseconds(get)[0] for _ in range(WARM))
    cpu = (time.process_time() - began) * 1000 / WARM
    yield Measured(address, first, warm, cpu, len(body) / 1024)
    for figure in sorted(
        set(re.findall(r'"([^"]+/figures/[^"]+\.json[^"]*)"', body.decode(errors="replace")))
    ):
        yield from measured(client, figure.replace("&amp;", "&"))


def addresses() -> tuple[list[str], list[str]]:
    """Every page of insight, of one environment and one study; and the names of those left out."""
    from django.urls import NoReverseMatch, reverse

    from playtest.insight.urls import urlpatterns
    from playtest.play.models import Study

    study = Study.objects.order_by("pk")[0]
    known = {"code": released(), "pk": study.pk, "number": 1}
    found, unknown = [], []
    for pattern in urlpatterns:
        wanted = pattern.pattern.converters
        given = {name: value for name, value in known.items() if name in wanted}
        try:
            address = reverse(f"insight:{pattern.name}", kwargs=given)
        except NoReverseMatch:
            unknown.append(str(pattern.name))
            continue
        found.append(address)
        if not given:
            found.append(f"{address}?study={study.pk}")
    return found, unknown


def released() -> str:
    """Releases the baseline of the environment with most actions and returns its code."""
    from django.db.models import Sum

    from playtest.insight.models import Release
    from playtest.insight.services.releases import release
    from playtest.play.errors import Refusal
    from playtest.studio.models import Environment

    if existing := Release.objects.select_related("environment").first():
        return existing.environment.code
    busiest = Environment.objects.annotate(n=Sum("attempts__actions", default=0)).order_by("-n")
    for environment in busiest.select_related("current"):
        assert environment.current is not None
        with contextlib.suppress(Refusal):
            release(environment.current, None, "For measuring.", provisional=True)
            return environment.code
    raise AssertionError("no environment has a completer of every level: make more entries")


def milliseconds[T](work: Callable[[], T]) -> tuple[float, T]:
    started = time.perf_counter()
    answer = work()
    return (time.perf_counter() - started) * 1000, answer


if __name__ == "__main__":
    django.setup()
    step, *arguments = sys.argv[1:]
    steps: dict[str, Callable[..., None]] = {"generate": generate, "read": read, "pages": pages}
    steps[step](*arguments)
