"""What a study registered, and what has happened in it since, read from the record."""

from collections import Counter
from dataclasses import dataclass, replace

from django.db.models import Count, Q

from playtest.insight.models import Preregistration
from playtest.insight.results.acceptance import counted_people
from playtest.insight.results.tables import attempts
from playtest.insight.scope import Scope
from playtest.play.incentives import currency
from playtest.play.models import Study
from playtest.review.models import DecisionKind
from playtest.review.queries.decisions import in_force
from playtest.rules.preregistration import Departure, Happened, OtherProtocol, Registered, departures
from playtest.rules.protocol import Protocol
from playtest.rules.protocol_text import differences
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
    found = study.preregistrations.select_related("registered_by").order_by("-number").first()
    return None if found is None else standing(found)


def standing(stored: Preregistration) -> Standing:
    """What became of one preregistration; attempts count as on the study's page."""
    registered = Registered.of(stored.document)
    link = stored.links.order_by("-pk").first()
    return Standing(
        stored,
        registered,
        link.address if link else "",
        tuple(departures(registered, _happened(stored, registered))),
    )


def _happened(stored: Preregistration, registered: Registered) -> Happened:
    study = stored.study
    scope = Scope(study)
    sessions = study.sessions.filter(checked_in_at__isnull=False, participant__simulated=study.rehearsal)
    totals = sessions.aggregate(
        before=Count("pk", filter=Q(checked_in_at__lt=stored.registered_at)),
        people=Count("participant", distinct=True),
    )
    begun = attempts(scope)
    excluding = in_force().exclude(kind=DecisionKind.KEEP).filter(session__study=study)
    return Happened(
        before=totals["before"],
        people=totals["people"],
        protocols=_protocols(study, registered.protocol),
        played=_played(begun["environment"].to_list(), begun["version"].to_list()),
        counted=Counter(counted_people(begun, scope)["environment"].to_list()),
        pool=list(study.pool.order_by("code").values_list("code", flat=True)),
        excluded=Counter(excluding.values_list("rule_version", flat=True)),
    )


def _protocols(study: Study, registered: Protocol) -> list[OtherProtocol]:
    """Of every version that sessions follow, the fields that differ, but for the environments."""
    versions = study.protocol_versions.annotate(followed_by=Count("sessions")).filter(followed_by__gt=0)
    return [
        OtherProtocol(
            version.number,
            version.followed_by,
            [
                one.field
                for one in differences(
                    replace(registered, environments=()), replace(version.value, environments=()), currency()
                )
            ],
        )
        for version in versions.order_by("number")
    ]


def _played(codes: list[str], versions: list[int]) -> Counter[tuple[str, str]]:
    digests = dict(Version.objects.filter(pk__in=set(versions)).values_list("pk", "digest"))
    return Counter((code, digests[version]) for code, version in zip(codes, versions, strict=True))
