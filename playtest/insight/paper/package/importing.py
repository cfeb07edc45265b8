"""Imports a data package as a study from outside, session by session.

Each session is one transaction, so people who play meanwhile wait for one at most, and an import that ends
early is continued by the next one. What is there already is left as it is.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from django.db import transaction

from playtest.insight.compute.results import bring_up_to_date
from playtest.insight.paper.package.for_import import MASKS, TASKS
from playtest.insight.paper.package.import_session import Destination, import_session
from playtest.insight.paper.package.published import published
from playtest.insight.paper.package.read import PackageFiles, opened
from playtest.insight.scope import Scope
from playtest.people.models import SamePerson, Staff
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import OutsideStudy, ProtocolVersion, Study
from playtest.play.models.study import center_currency
from playtest.rules.errors import RuleError
from playtest.rules.protocol import Protocol
from playtest.studio.models import Environment, Version
from playtest.studio.queries.masks import masks_in
from playtest.studio.services.importing import load_environments
from playtest.studio.services.masks import decide
from playtest.studio.services.tasks import load_tasks

type Report = Callable[[int, int], None]
"""Receives how many sessions are done, of how many; may raise, which ends the import."""
_SEALED = "sealed by the hash chains of its source"
_OF_RECORDINGS = "of recordings from outside, with the hash chains that were made at their import"
_PUBLIC = "public variant: times in minutes, without the hash chain of its source"
_LONGEST_NAME = 100


@dataclass(frozen=True)
class Imported:
    """What an import did: sessions that are new, and published figures that are other ones here."""

    study: Study
    new: int
    skipped: int
    differences: tuple[str, ...]


def import_package(
    path: Path,
    *,
    name: str = "",
    staff: Staff | None = None,
    report: Report = lambda done, total: None,
    begun: Callable[[Study], object] = lambda study: None,
) -> Imported:
    """Imports the package in a folder or a ZIP file; the same one twice adds nothing.

    `name` is the study's, if not the one it has in the package; `staff` who asked for it. `begun` is told the
    study before its first session is imported.
    Refusal: package_missing, package_damaged, package_unknown, versions_missing, name_taken, chain_broken,
    and the codes of protocols.
    """
    with opened(path) as package:
        outside = OutsideStudy.objects.select_related("study").filter(digest=package.digest).first()
        versions = _versions(package)
        study = outside.study if outside else _study(package, name or package.facts["study"], versions, staff)
        begun(study)
        to = Destination(package, study, versions)
        sessions = package.tables["sessions"].sort("session").to_dicts()
        waiting = [row for row in sessions if not to.has("session", row["session"])]
        for done, row in enumerate(waiting, start=len(sessions) - len(waiting)):
            report(done, len(sessions))
            import_session(to, row)
        _link_people(to, staff)
        _decide_masks(to, staff)
        bring_up_to_date(Scope(study).attempts)
        report(len(sessions), len(sessions))
        differences = tuple(_differences(package.document("published.json"), published(study)))
    return Imported(study, len(waiting), len(sessions) - len(waiting), differences)


def _versions(package: PackageFiles) -> dict[tuple[str, str], Version]:
    """What was played, by id and digest. Environments that are unknown here are taken from the package.

    Refusal: versions_missing.
    """
    wanted = {(one["environment"], one["version"]) for one in package.facts["versions"]}
    found = _found(wanted)
    codes = {code for code, _ in wanted - found.keys()}
    unknown = codes.difference(Environment.objects.filter(code__in=codes).values_list("code", flat=True))
    if package.environments.is_dir() and codes == unknown:
        load_environments(package.environments)
        if (tasks := package.environments / TASKS).is_dir():
            load_tasks(tasks)
        found = _found(wanted)
    if missing := sorted(wanted - found.keys()):
        named = ", ".join(f"{code} ({digest[:8]})" for code, digest in missing)
        raise Refusal(
            "versions_missing",
            f"This installation lacks versions that were played: {named}. Import their environments first,"
            " or a package that was written with --with-environments.",
        )
    return found


def _found(wanted: Iterable[tuple[str, str]]) -> dict[tuple[str, str], Version]:
    digests = {digest for _, digest in wanted}
    found = Version.objects.filter(digest__in=digests, is_draft=False).select_related("environment")
    return {key: one for one in found if (key := (one.environment.code, one.digest)) in set(wanted)}


@transaction.atomic
def _study(
    package: PackageFiles, name: str, versions: dict[tuple[str, str], Version], staff: Staff | None
) -> Study:
    """The study, its protocols and its pool. Refusal: name_taken, and the codes of protocols."""
    facts = package.facts
    if Study.objects.filter(name=name).exists() or len(name) > _LONGEST_NAME:
        message = f"A study here is called “{name}”, or that is too long: give the import another name."
        raise Refusal("name_taken", message)
    protocols = [
        package.document(f"protocols/{file.name}")
        for file in sorted((package.folder / "protocols").glob("*.json"))
    ]
    study = Study.objects.create(
        name=name,
        currency=protocols[0].get("currency", center_currency()) if protocols else center_currency(),
        open=False,
        rehearsal=facts["rehearsal"],
        created_at=datetime.fromisoformat(facts["created_at"]),
    )
    for exported in protocols:
        _protocol(study, exported)
    played = {version.environment.code for version in versions.values()}
    study.pool.set(Environment.objects.filter(code__in={*facts["pool"], *played}))
    ended = package.tables["sessions"]["ended_at"].max()
    sealed = _PUBLIC if package.is_public else _OF_RECORDINGS if package.recordings else _SEALED
    OutsideStudy.objects.create(
        study=study,
        source=f"data package “{facts['study']}”, {sealed}",
        licence=facts["licence"][:200],
        digest=package.digest,
        dated=ended.date() if isinstance(ended, datetime) else None,
        people_known=True,
        imported_at=now(),
        imported_by=staff,
    )
    return study


def _protocol(study: Study, exported: dict[str, Any]) -> None:
    try:
        protocol = Protocol.of(exported["protocol"])
    except RuleError as error:
        raise Refusal(
            error.code, f"Version {exported['version']} of the protocol: {error.message}"
        ) from error
    if protocol.digest != exported["digest"]:
        message = f"Version {exported['version']} of the protocol is not the one that its digest names."
        raise Refusal("protocol_changed", message)
    frozen = exported["frozen_at"]
    ProtocolVersion(
        study=study,
        number=exported["version"],
        reason=exported["reason"],
        created_at=datetime.fromisoformat(exported["created_at"]),
        frozen_at=None if frozen is None else datetime.fromisoformat(frozen),
    ).write(protocol).save()


def _link_people(to: Destination, staff: Staff | None) -> None:
    """Links the records that the package says are one person's."""
    for one, other in to.package.facts["same_people"]:
        pair = {"one_id": to.row("participant", one), "other_id": to.row("participant", other)}
        if not SamePerson.objects.filter(**pair).exists():
            SamePerson.objects.create(
                **pair,
                staff_id=staff.pk if staff else to.staff("import"),
                linked_at=now(),
                reason="The data say that both are one person.",
            )


def _decide_masks(to: Destination, staff: Staff | None) -> None:
    """Masked cells that people of the source decided are in force here, unless somebody here decided.

    Refusal: bad_areas.
    """
    known: Any = to.package.document(MASKS) if (to.package.folder / MASKS).is_file() else []
    for one in known:
        version = to.versions.get((one["environment"], one["version"]))
        if not one["decided"] or version is None or masks_in(version).decided:
            continue
        by = staff or Staff.objects.get(pk=to.staff("import"))
        try:
            areas = "\n".join(" ".join(map(str, area)) for area in one["areas"])
            decide(version, areas, f"Decided where the data of “{to.study.name}” are from.", by)
        except RuleError as error:
            raise Refusal(error.code, f"{MASKS}: {error.message}") from error


def _differences(theirs: dict[str, Any], ours: dict[str, Any]) -> Iterable[str]:
    """The published figures that are not the same here, as sentences."""
    for name in ("people", "baselines", "success"):
        if theirs[name] != ours[name]:
            yield f"{name}: the package publishes {theirs[name]}, here it is {ours[name]}"
