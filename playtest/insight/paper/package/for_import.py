"""What a package has beside its tables so that another installation can import it: the folder `import`.

`study.json` has what no table says. `frames-*.parquet` has the frames of every entry as docs/wire.md encodes
them: attempt, seq, frames. `recordings.json` has, of a study from outside, what is known of the recordings
(`play.models.OutsideAttempt`), by attempt. `environments` has sources, where the exporter asked for them.
"""

import json
from collections.abc import Collection
from datetime import datetime
from itertools import batched
from pathlib import Path
from typing import Any

import polars as pl

from engine.errors import PayloadError
from playtest.people.models import Participant
from playtest.people.participants import linked_records
from playtest.play.errors import Refusal
from playtest.play.journal.writer import inflate
from playtest.play.models import Attempt, Entry, OutsideAttempt, Study
from playtest.play.models.outside import PACKAGES, PUBLIC_PACKAGE
from playtest.review.queries.dataset import Names
from playtest.rules.custody import Fact, may_disclose
from playtest.rules.kinds import Kind
from playtest.studio.models import Version

FORMAT = "playtest data package 1"
FOLDER, STUDY, FRAMES, ENVIRONMENTS = "import", "study.json", "frames-*.parquet", "environments"
TASKS, RECORDINGS, MASKS = "tasks", "recordings.json", "masks.json"
_KNOWN = ("dialect", "differs_from", "unproven", "as_arcengine", "timed", "full_resets", "left_out", "notes")
_KNOWN_TO_PARTNERS = ("name", "guid", "last_line")
"""Not in the public variant."""
_FRAMES_SCHEMA = {"attempt": pl.Int64, "seq": pl.Int64, "frames": pl.Binary}
_ATTEMPTS_A_FILE = 200


def write_for_import(
    study: Study,
    folder: Path,
    names: Names,
    *,
    made: datetime,
    public: bool,
    with_environments: bool,
    licence: str,
) -> None:
    """Writes the folder; `made` is when the study was, as it says. Refusal: sources_not_public."""
    folder.mkdir()
    attempts = Attempt.objects.filter(session__study=study, ended_at__isnull=False).order_by("pk")
    versions = Version.objects.filter(attempts__in=attempts).distinct().select_related("environment")
    played = list(versions.order_by("environment__code", "digest"))
    if with_environments:
        _write_environments(played, folder / ENVIRONMENTS)
    facts = {
        "format": FORMAT,
        "study": study.name,
        "rehearsal": study.rehearsal,
        "created_at": made.isoformat(),
        "public": public or study.sessions.filter(attempts__outside__dialect=PUBLIC_PACKAGE).exists(),
        "licence": licence,
        "pool": sorted(study.pool.values_list("code", flat=True)),
        "versions": [{"environment": one.environment.code, "version": one.digest} for one in played],
        "same_people": _same_people(study, names),
    }
    (folder / STUDY).write_text(json.dumps(facts, indent=1, ensure_ascii=False) + "\n")
    fields = _KNOWN if public else _KNOWN + _KNOWN_TO_PARTNERS
    recorded = OutsideAttempt.objects.filter(attempt__in=attempts).exclude(dialect__in=PACKAGES)
    found = {
        names.number("attempt", attempt): dict(zip(fields, facts, strict=True))
        for attempt, *facts in recorded.values_list("attempt", *fields)
    }
    if found:
        text = json.dumps(dict(sorted(found.items())), indent=1, ensure_ascii=False)
        (folder / RECORDINGS).write_text(text + "\n")
    ordered = sorted(attempts.values_list("pk", flat=True), key=lambda pk: names.number("attempt", pk))
    for number, part in enumerate(batched(ordered, _ATTEMPTS_A_FILE)):
        _write_frames(part, folder / FRAMES.replace("*", f"{number:04}"), names)


def _same_people(study: Study, names: Names) -> list[list[str]]:
    """The pairs of this study's records that are one person's: each further one with that person's first."""
    here = Participant.objects.filter(pk__in=study.sessions.values("participant"))
    pairs = ([names.person(one), names.participant(one)] for one in here.filter(pk__in=linked_records()))
    return sorted(pair for pair in pairs if pair[0] != pair[1])


def _write_frames(attempts: Collection[int], file: Path, names: Names) -> None:
    found = Entry.objects.filter(attempt__in=attempts).order_by("attempt", "seq")
    rows: list[Any] = []
    for attempt, seq, frames in found.values_list("attempt", "seq", "frames").iterator():
        try:
            rows.append((names.number("attempt", attempt), seq, inflate(frames)))
        except PayloadError:  # its entry has no digest of frames either
            continue
    table = pl.DataFrame(rows, _FRAMES_SCHEMA, orient="row").sort("attempt", "seq")
    table.write_parquet(file, compression="zstd", compression_level=19)


def _write_environments(versions: list[Version], folder: Path) -> None:
    """The sources of these versions in the official layout. Refusal: sources_not_public."""
    private = {
        one.environment.code for one in versions if not may_disclose(one.environment.release_set, Fact.SOURCE)
    }
    if private:
        raise Refusal(
            "sources_not_public",
            f"The sources of {', '.join(sorted(private))} may not leave: a package has those of the public"
            " set alone. Leave out --with-environments.",
        )
    for version in versions:
        code = version.environment.code
        if version.kind is Kind.TASK:
            place = folder / TASKS / f"{code}.json"
            place.parent.mkdir(parents=True, exist_ok=True)
        else:
            place = folder / code / version.digest[:8] / f"{code}.py"
            place.parent.mkdir(parents=True)
            metadata = json.dumps(version.metadata, indent=1, ensure_ascii=False) + "\n"
            place.with_name("metadata.json").write_text(metadata)
        place.write_bytes(version.source.encode())
