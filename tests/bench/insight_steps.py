"""`python -m tests.bench.insight_steps generate N|read|pages`: one step, in a process of its own."""

import contextlib
import re
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from itertools import chain

import django

WARM = 7
PROMISED_MILLISECONDS = 300


def generate(entries: str) -> None:
    from playtest.play.models import Attempt, Entry
    from tests.bench import insight_data

    took, _ = milliseconds(lambda: insight_data.generate(int(entries)))
    print(
        f"{Entry.objects.count()} entries of {Attempt.objects.count()} attempts, made in {took / 1000:.0f} s"
    )


def read() -> None:
    """What a page does first: look whether anything is new."""
    from playtest.insight.services.results import bring_up_to_date
    from playtest.play.models import Attempt, Entry

    everyone = Attempt.objects.all()
    bring_up_to_date(everyone)
    took, _ = min(milliseconds(lambda: bring_up_to_date(everyone)) for _ in range(WARM))
    print(f"bring up to date, nothing new: {took:.1f} ms")
    playing = Attempt.objects.filter(ended_at__isnull=True)
    for attempt in playing:
        newest = Entry.objects.filter(attempt=attempt).order_by("-seq")[0]
        newest.pk, newest.seq, newest.level_completed = None, newest.seq + 1, False
        newest.save(force_insert=True)
    took, news = milliseconds(lambda: bring_up_to_date(everyone))
    print(f"bring up to date, one more action in each of {news} attempts: {took:.1f} ms")


def pages() -> None:
    from django.conf import settings
    from django.test import Client

    from playtest.people.models import Staff
    from playtest.people.roles import Role

    settings.ALLOWED_HOSTS = ["testserver"]
    client = Client()
    lead = Staff.objects.create(username="lead", role=Role.LEAD)
    client.force_login(lead, backend="django.contrib.auth.backends.ModelBackend")
    found, unknown = addresses()
    rows = list(chain.from_iterable(measured(client, address) for address in found))
    print("| address | status | first ms | warm p50 ms | KB | |\n| --- | --- | --- | --- | --- | --- |")
    for address, status, first, warm, size in rows:
        over = "over" if max(first, warm) > PROMISED_MILLISECONDS else ""
        print(f"| {address} | {status} | {first:.0f} | {warm:.0f} | {size / 1024:.0f} | {over} |")
    for name in unknown:
        print(f"not measured: {name}")
    late = [row for row in rows if max(row[2], row[3]) > PROMISED_MILLISECONDS]
    print(f"\n{len(rows)} addresses, {len(late)} over {PROMISED_MILLISECONDS} ms")


type Measured = tuple[str, int, float, float, int]


def measured(client: object, address: str) -> Iterator[Measured]:
    """An address, and the figures that its page asks for."""
    body = b""

    def get() -> int:
        nonlocal body
        answer = client.get(address)  # type: ignore[attr-defined]
        body = answer.getvalue()
        return int(answer.status_code)

    first, status = milliseconds(get)
    warm = statistics.median(milliseconds(get)[0] for _ in range(WARM))
    yield address, status, first, warm, len(body)
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
    """The environment with most actions of those that a baseline can be released of, now that it is."""
    from django.db.models import Sum

    from playtest.insight.services.releases import release
    from playtest.play.errors import Refusal
    from playtest.studio.models import Environment

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
