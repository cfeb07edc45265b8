"""How a study stands to its preregistration, and the preregistration as a file."""

import json
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_

import polars as pl
from django.db.models import Count, F, Q
from django.template.loader import render_to_string

from playtest.insight.models import Preregistration
from playtest.insight.scope import EVERYONE
from playtest.insight.tables.acceptance import counted_people
from playtest.insight.tables.results import attempts_of, in_scope
from playtest.people.participants import people_by
from playtest.play.models import Attempt, ProtocolVersion, Session, Study
from playtest.play.sessions.reads import whose
from playtest.review.models import DecisionKind
from playtest.review.queries.decisions import in_force
from playtest.rules.preregistration import Departure, Happened, OtherProtocol, Registered, departures
from playtest.rules.protocol import Protocol, differences, statements
from playtest.studio.models import Version


@dataclass(frozen=True)
class Standing:
    """A preregistration with its value, its address in a registry ("" if none) and the departures."""

    stored: Preregistration
    registered: Registered
    address: str
    departures: tuple[Departure, ...]


def newest_standing(study: Study) -> Standing | None:
    """That of the newest preregistration; None without one."""
    return newest_standings([study]).get(study.pk)


def newest_standings(studies: Collection[Study]) -> dict[int, Standing]:
    """That of each study's newest preregistration, by study; a study without one is absent.

    It takes as many queries for many studies as for one.
    """
    registered = Preregistration.objects.filter(study__in=studies).select_related("registered_by", "study")
    newest = {one.study_id: one for one in registered.prefetch_related("links").order_by("number")}
    return _standings(newest)


def standing(stored: Preregistration) -> Standing:
    """What became of one preregistration; attempts count as on the study's page."""
    return _standings({stored.study_id: stored})[stored.study_id]


def _standings(stored: Mapping[int, Preregistration]) -> dict[int, Standing]:
    if not stored:
        return {}
    registered = {study: Registered.of(one.document) for study, one in stored.items()}
    happened = _happened(stored, registered)
    return {
        study: Standing(one, plan, _address(one), tuple(departures(plan, happened[study])))
        for study, one in stored.items()
        for plan in [registered[study]]
    }


def _address(stored: Preregistration) -> str:
    links = sorted(stored.links.all(), key=lambda link: link.pk)
    return links[-1].address if links else ""


def _happened(
    stored: Mapping[int, Preregistration], registered: Mapping[int, Registered]
) -> dict[int, Happened]:
    """What happened in each study, by its key."""
    versions = ProtocolVersion.objects.filter(study__in=stored).annotate(followed_by=Count("sessions"))
    protocols = list(versions.order_by("number"))
    before, people = _sessions(stored)
    begun = _begun([one.study for one in stored.values()], protocols)
    counted = counted_people(begun, EVERYONE)
    digests = dict(Version.objects.filter(pk__in=begun["version"].unique()).values_list("pk", "digest"))
    pools = Study.objects.filter(pk__in=stored).order_by("pool__code").values_list("pk", "pool__code")
    excluding = in_force().exclude(kind=DecisionKind.KEEP).filter(session__study__in=stored)
    excluded = list(excluding.values_list("session__study", "rule_version"))
    found = {}
    for study in stored:
        own = begun.filter(pl.col("study") == study)
        versions_of = [one for one in protocols if one.study_id == study]
        played = own.select("environment", "version").rows()
        found[study] = Happened(
            before=before[study],
            people=people[study],
            protocols=_others(versions_of, registered[study].protocol, stored[study].study.currency),
            played=Counter((code, digests[version]) for code, version in played),
            counted=Counter(counted.filter(pl.col("study") == study)["environment"].to_list()),
            pool=[code for key, code in pools if key == study and code],
            excluded=Counter(rule for key, rule in excluded if key == study),
        )
    return found


def _sessions(stored: Mapping[int, Preregistration]) -> tuple[Counter[int], Counter[int]]:
    """How many sessions began before each registration, and how many people came, by study."""
    earlier = reduce(
        or_, (Q(study=study, checked_in_at__lt=one.registered_at) for study, one in stored.items())
    )
    sessions = Session.objects.filter(study__in=stored, checked_in_at__isnull=False)
    rows = sessions.filter(participant__simulated=F("study__rehearsal"))
    before = rows.filter(earlier).values_list("study", flat=True)
    return Counter(before), people_by(rows.values_list("study", "participant"))


def _begun(studies: Collection[Study], protocols: Collection[ProtocolVersion]) -> pl.DataFrame:
    """The attempts of the studies that are not excluded, with the `study` of each."""
    begun = Attempt.objects.filter(reduce(or_, map(whose, studies)), first_frame_at__isnull=False)
    of_protocol = pl.DataFrame(
        [(one.pk, one.study_id) for one in protocols], {"protocol": pl.Int64, "study": pl.Int64}, orient="row"
    )
    return in_scope(attempts_of(begun), EVERYONE).join(of_protocol, on="protocol", how="left")


def _others(
    versions: Collection[ProtocolVersion], registered: Protocol, currency: str
) -> list[OtherProtocol]:
    """Of every version that sessions follow, the fields that differ, but for the environments."""
    return [
        OtherProtocol(
            version.number,
            version.followed_by,  # type: ignore[attr-defined]  # annotated
            [
                one.field
                for one in differences(
                    replace(registered, environments=()), replace(version.value, environments=()), currency
                )
            ],
        )
        for version in versions
        if version.followed_by  # type: ignore[attr-defined]
    ]


def as_json(found: Standing) -> str:
    """The document with its digest and its time.

    The digest is the SHA-256 of the member "registered" as canonical JSON: names sorted, no spaces, UTF-8.
    """
    stored = found.stored
    document = {
        "number": stored.number,
        "registered_at": stored.registered_at.isoformat(),
        "digest": stored.digest,
        "registry": found.address or None,
        "registered": stored.document,
    }
    return json.dumps(document, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def as_markdown(found: Standing) -> str:
    """The same to read."""
    stored, registered = found.stored, found.registered
    known = statements(registered.protocol, stored.study.currency)
    context = {
        "stored": stored,
        "registered": registered,
        "registered_at": stored.registered_at.isoformat(timespec="seconds"),
        "address": found.address,
        "people": "not fixed" if registered.people is None else f"{registered.people:,}",
        "asked": f"{registered.protocol.acceptance.people:,}",
        "plan": registered.plan and json.dumps(registered.plan, indent=2, ensure_ascii=False),
        "versions": sorted(registered.versions.items()),
        "statements": [(field, _indented(value)) for field, value in known.items()],
    }
    return render_to_string("insight/evidence/preregistration.md", context)


def _indented(value: str) -> str:
    """Text of several lines as part of a list's item."""
    first, *others = value.splitlines() or [""]
    return "\n".join([first or "none", *(f"  {line}" if line else "" for line in others)])
