"""Facts about the evaluation and its design: items 0 and 1."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import attrgetter, itemgetter

from django.urls import reverse
from django.utils import timezone

from playtest.insight.paper.report.gathered import (
    NONE,
    Gathered,
    minutes,
    percent,
    protocol_link,
    spread,
    study_link,
    tasks_link,
)
from playtest.play.models import Study
from playtest.rules.kinds import Kind
from playtest.rules.pay import amount_text
from playtest.rules.pipeline import Stage
from playtest.rules.reporting.document import Fact, Table
from playtest.rules.text import counted
from playtest.studio.models import Environment
from playtest.studio.models.environments import ReleaseSet
from playtest.studio.queries.waivers import granted_of_versions

type Found = Iterator[Fact | Table]


def kind(found: Gathered) -> Found:
    if found.results.has_levels:
        yield Fact(
            "Items",
            "Turn-based environments of 64x64 cells in 16 colours, of several levels, without instructions.",
        )
    if found.results.has_tasks:
        yield Fact(
            "Static tasks",
            "Pairs of grids of up to 30x30 cells in 10 colours show a rule, without instructions; people draw"
            " the output of each test input.",
        )


def mode(found: Gathered) -> Found:
    if found.results.has_levels:
        yield Fact("People", "They see the frames on a screen and act by keys, mouse or touch.")
    if found.results.has_tasks:
        rule = found.protocol.tasks
        answer = "is answered with right or wrong at once" if rule.feedback else "is not answered"
        yield Fact(
            "People at static tasks",
            f"They see all pairs, draw in an editor of grids and submit; each submission {answer}. The first"
            f" {rule.tries} for each test input count, and {rule.most_submissions} are taken.",
            protocol_link(found),
        )


def language(_: Gathered) -> Found:
    yield Fact("Environments", "They have no words. The pages around them are in English.")


def whole_set(_: Gathered) -> Found:
    sets: defaultdict[str, list[Kind]] = defaultdict(list)
    for release_set, its_kind in Environment.objects.exclude(current=None).values_list("release_set", "kind"):
        sets[release_set].append(its_kind)
    for release_set in ReleaseSet:
        if sets[release_set]:
            label = "In no set" if release_set == ReleaseSet.NONE else release_set.label.capitalize()
            yield Fact(label, _of_kinds(sets[release_set]), reverse("insight:sets"))


def _of_kinds(kinds: Iterable[Kind]) -> str:
    """How many of each kind: "12 interactive environments, 20 static tasks"; "none" without any."""
    numbers = Counter(kinds)
    return ", ".join(counted(numbers[one], one.terms.label) for one in Kind if numbers[one]) or NONE


def baseliners(found: Gathered) -> Found:
    yield Fact("People with an attempt that counts", f"{found.numbers.people:,}", study_link(found))
    yield Fact("People who began an environment", f"{found.numbers.people_begun:,}")


def covered(found: Gathered) -> Found:
    pool = found.study.pool.values_list("kind", flat=True)
    codes = found.results.counted["environment"].unique().to_list()
    played = Environment.objects.filter(code__in=codes).values_list("kind", flat=True)
    yield Fact("Environments in the study's pool", _of_kinds(pool), protocol_link(found))
    yield Fact("Environments with attempts that count", _of_kinds(played), study_link(found))
    if found.results.has_levels:
        yield Fact("Levels with a baseline", f"{len(found.variants[0].baselines):,}")
    if found.results.has_tasks:
        pairs = found.tasks.by_pair.height
        yield Fact("Test pairs of static tasks with attempts", f"{pairs:,}", tasks_link(found))


def responses(found: Gathered) -> Found:
    people = found.results.counted.group_by("environment").len().sort("environment")
    yield Fact("People for each environment", spread(people["len"].to_list()), study_link(found))
    rows = tuple((code, f"{number:,}") for code, number in people.iter_rows())
    yield Table("People whose attempts count, for each environment.", ("Environment", "People"), rows)


def items_each(found: Gathered) -> Found:
    each = found.results.counted.group_by("participant").len()["len"].to_list()
    yield Fact("Environments for each person", spread(each))


def suitability(_: Gathered) -> Found:
    yield Fact("Instructions", "None about any environment; a tutorial shows the controls alone.")


def iteration(found: Gathered) -> Found:
    earlier = Study.objects.filter(
        created_at__lt=found.study.created_at, outside__isnull=True, sessions__checked_in_at__isnull=False
    ).distinct()
    held, rehearsals = (earlier.filter(rehearsal=one).count() for one in (False, True))
    yield Fact("Earlier studies here with sessions", f"{held:,}", reverse("play:studies"))
    yield Fact("Earlier rehearsals here with sessions", f"{rehearsals:,}")
    played = {one.environment_id: one.environment for one in found.versions.values()}
    passed = _of_kinds(one.kind for one in played.values() if one.stage == Stage.DONE)
    yield Fact("Environments that have passed every gate", passed, reverse("insight:board"))
    waived: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    codes = {(one.environment_id, one.pk): one.environment.code for one in found.versions.values()}
    granted = granted_of_versions(codes, timezone.now())
    for key, code in sorted(codes.items(), key=itemgetter(1)):
        rows = granted[key]
        for reason, its in groupby(sorted(rows, key=attrgetter("reason")), attrgetter("reason")):
            needs = ", ".join(sorted(one.what for one in its))
            waived[needs, reason].append(code)
    if waived:
        rows_of = tuple((" ".join(dict.fromkeys(named)), *why) for why, named in waived.items())
        yield Table("What was waived at gates.", ("Environments", "Requirements", "Reason"), rows_of)


def effort(found: Gathered) -> Found:
    limits = found.protocol.limits
    yield Fact(
        "Limit of an environment",
        f"{limits.hard_seconds / 60:g} min, asked after {limits.soft_seconds / 60:g}",
    )
    yield Fact("Limit of a session", f"{limits.session_seconds / 60:g} min", protocol_link(found))
    yield Fact(
        "Time of people at environments, in excluded attempts too", f"{found.pay.play_hours:.1f} hours"
    )
    yield Fact("Time of people in sessions, in excluded ones too", f"{found.pay.session_hours:.1f} hours")
    yield Fact(
        "Cost of people, in fees and bonuses", amount_text(found.pay.balance.owed, found.pay.study.currency)
    )
    numbers = found.numbers
    yield Fact("Duration of an attempt that counts, median", minutes(numbers.duration.minutes))


def power(found: Gathered) -> Found:
    registered = found.preregistration
    plan = registered.registered.plan if registered else None
    if plan is None:
        yield Fact("Plan", "none is registered", reverse("insight:plan", args=[found.study.pk]))
        return
    assumptions = plan["assumptions"]
    yield Fact(
        "Plan",
        f"{assumptions['people']} people on each of {assumptions['environments']} environments, registered"
        " with its assumptions and the precision that they promise",
        reverse("insight:preregistration", args=[found.study.pk]),
    )


def preregistered(found: Gathered) -> Found:
    registered, link = found.preregistration, reverse("insight:preregistration", args=[found.study.pk])
    if registered is None:
        yield Fact("Preregistration", NONE, link)
        return
    stored = registered.stored
    yield Fact("Preregistration", f"number {stored.number}, {stored.registered_at:%Y-%m-%d %H:%M} UTC", link)
    yield Fact("Digest (SHA-256)", stored.digest)
    yield Fact("Registry", registered.address or "not deposited")
    yield Fact("Departures from it", f"{len(registered.departures):,}")
    if registered.departures:
        rows = tuple((one.sentence,) for one in registered.departures)
        yield Table("Departures, as the record shows them.", ("Departure",), rows)


def shares_of(found: Gathered) -> str:
    """How many attempts solved, of whole ones that were not cut short, with its interval."""
    return percent(found.numbers.solved, found.results.judged.height, found.numbers.success)
