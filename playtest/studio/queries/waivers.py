"""Waivers of needs: how they stand, and what the gates make of them."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import datetime

from django.utils import timezone

from playtest.people.manifests import Waits, manifests, waiting
from playtest.people.models import Staff
from playtest.people.roles import Right
from playtest.rules.pipeline import MOVES_OF, WAIVABLE, Fact, Need
from playtest.studio.models import Environment, GateWaiver, WaiverState

type Waivers = dict[Need, GateWaiver]


def newest(environments: Collection[Environment]) -> dict[int, Waivers]:
    """The newest step of each waiver that is about them or their current versions, by environment's pk."""
    current = {one.pk: one.current_id for one in environments}
    found: dict[int, Waivers] = {pk: {} for pk in current}
    for row in GateWaiver.objects.filter(environment__in=current).select_related("by").order_by("pk"):
        if row.version_id in (None, current[row.environment_id]):
            found[row.environment_id][Need(row.need)] = row
    return {pk: {need: rows[need] for need in Need if need in rows} for pk, rows in found.items()}


def granted(environments: Collection[Environment]) -> dict[int, Waivers]:
    """The waivers in force, by the environment's pk."""
    return {pk: in_state(rows, WaiverState.GRANTED) for pk, rows in newest(environments).items()}


def in_state(waivers: Waivers, state: WaiverState) -> Waivers:
    """Those that stand so."""
    return {need: row for need, row in waivers.items() if row.state == state}


def met_by(environment: Environment) -> set[Need]:
    """The needs that an environment meets without a waiver."""
    found = (facts for one in manifests() for facts in one.gate_facts)
    return {need for facts in found for need, fact in facts(environment).items() if is_met(fact)}


def is_met(fact: Fact) -> bool:
    """Whether it is met without a waiver."""
    return fact.met and not fact.waived


def waivable(environment: Environment) -> list[Need]:
    """What a waiver can be asked for: the open needs of its gates without a waiver that stands."""
    asked = {need for move in MOVES_OF[environment.kind] for need in move.needs}
    rows = newest([environment])[environment.pk]
    stand = {need for need, row in rows.items() if row.state != WaiverState.ENDED}
    return [need for need in WAIVABLE if need in asked - stand - met_by(environment)]


def fact_of(environment: Environment, need: Need, fact: Fact, version: int | None = None) -> Fact:
    """A fact about an environment, as its waivers leave it; by default about its current version."""
    granted = granted_of_version(environment.pk, version or environment.current_id, timezone.now())
    return applied({need: fact}, {Need(row.need): row for row in granted})[need]


def granted_of_version(environment: int, version: int | None, until: datetime) -> list[GateWaiver]:
    """The waivers that were in force at a moment when this version was the current one."""
    return granted_of_versions([(environment, version)], until)[environment, version]


def granted_of_versions(
    versions: Collection[tuple[int, int | None]], until: datetime
) -> dict[tuple[int, int | None], list[GateWaiver]]:
    """The same of several versions, each with its environment, in one query."""
    rows = GateWaiver.objects.filter(environment__in={pk for pk, _ in versions}, at__lte=until)
    of_environment: defaultdict[int, list[GateWaiver]] = defaultdict(list)
    for row in rows.select_related("by").order_by("pk"):
        of_environment[row.environment_id].append(row)
    newest_of = {
        (pk, version): {row.need: row for row in of_environment[pk] if row.version_id in (None, version)}
        for pk, version in versions
    }
    return {
        key: [row for row in found.values() if row.state == WaiverState.GRANTED]
        for key, found in newest_of.items()
    }


def applied(facts: Mapping[Need, Fact], waivers: Waivers) -> dict[Need, Fact]:
    """The facts with what is waived as met. What is met anyway stays as it is."""
    return {
        need: _waived(fact, waivers[need]) if need in waivers and not fact.met else fact
        for need, fact in facts.items()
    }


def _waived(fact: Fact, waiver: GateWaiver) -> Fact:
    by = waiver.by.get_username() if waiver.by else "the installation"
    sentence = f"{fact.sentence} Waived by {by}: {waiver.reason}"
    return replace(fact, met=True, sentence=sentence, data={**(fact.data or {}), "waived": waiver.reason})


def waiting_for(reader: Staff) -> Waits:
    """How many waivers are asked for that this person can grant, of what is not met meanwhile."""
    if not reader.may(Right.WAIVE_NEEDS):
        return Waits(0, "")
    ever = GateWaiver.objects.filter(state=WaiverState.ASKED).values("environment")
    found = Environment.objects.filter(pk__in=ever).select_related("current").defer("current__source")
    environments = list(found)
    known = newest(environments)
    asked = {pk: in_state(rows, WaiverState.ASKED) for pk, rows in known.items()}
    number = sum(len(asked[one.pk].keys() - met_by(one)) for one in environments if asked[one.pk])
    return waiting(number, "waiver", "for your decision")
