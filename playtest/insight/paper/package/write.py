"""Writes a package into a folder."""

import gzip
import json
import shutil
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path

import polars as pl
from django.conf import settings

from playtest.insight.compute.results import bring_up_to_date
from playtest.insight.paper.package.describe import card, csv_name, psych_ds
from playtest.insight.paper.package.for_import import FOLDER, MASKS, write_for_import
from playtest.insight.paper.package.public import PublicVariant, described
from playtest.insight.paper.package.published import fewest, masks, published
from playtest.insight.scope import Scope
from playtest.play.errors import Refusal
from playtest.play.models import Attempt, Study
from playtest.play.sessions.reads import TASKS
from playtest.play.sessions.studies import exported, questions_of_study
from playtest.review import codebook
from playtest.review.official_recording import file_name, recording_lines
from playtest.review.queries.dataset import Names
from playtest.review.services.dataset import FACTS, ORIGIN, README, Dataset, write_dataset
from playtest.review.services.table_files import PARQUET, write_csv

_PROGRAMS = ("load.py", "figures.ipynb", "recompute.py", "recompute_chain.py")
_LEVEL = 6
"""Of gzip: the usual 9 takes four times as long, which was most of the time that a package took."""


@dataclass(frozen=True)
class Package:
    """What was written: the tables, the number of recordings, and the attempts whose record is damaged."""

    dataset: Dataset
    recordings: int
    damaged: tuple[int, ...]


def write_package(
    study: Study,
    folder: Path,
    *,
    identified: bool,
    public: bool = False,
    with_environments: bool = False,
    licence: str = "",
) -> Package:
    """Writes into a folder, made if there is none. `licence` is what its users are told of it, by default
    the one of where the data are from, else the center's.

    Refusal: folder_not_empty, public_identified, study_open, sources_not_public.
    """
    if identified and public:
        raise Refusal("public_identified", "The public variant names nobody: leave out --identified.")
    if public and (study.open or study.sessions.filter(checked_in_at__isnull=False, ended_at=None).exists()):
        message = "Close the study and let its sessions end first: two public packages, before and after"
        raise Refusal("study_open", f"{message} somebody took part, would tell of this person.")
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise Refusal("folder_not_empty", f"{folder} has files already: name an empty folder, or a new one.")
    licence = licence or (study.outside.licence if study.is_outside else settings.DATA_LICENCE)
    bring_up_to_date(Scope(study).attempts)
    questions = questions_of_study(study)
    tables = codebook.tables_of(questions)
    dataset = write_dataset(study, folder / PARQUET, PARQUET, identified=identified)
    names = Names(study, identified=identified)
    files = {table.name: folder / PARQUET / f"{table.name}.parquet" for table in tables}
    frames = {name: pl.read_parquet(file) for name, file in files.items()}
    variant = PublicVariant(study, names, frames) if public else None
    if variant is not None:
        for table in tables:
            frames[table.name] = variant.table(table, frames[table.name], questions)
            frames[table.name].write_parquet(files[table.name])
        tables = tuple(described(table, frames[table.name]) for table in tables)
        (folder / PARQUET / "codebook.md").write_text(codebook.markdown(tables))
    for name, frame in frames.items():
        write_csv(frame.lazy(), folder / "data" / csv_name(study, name))
    write_for_import(
        study,
        folder / FOLDER,
        names,
        made=variant.moment if variant else study.created_at,
        public=public,
        with_environments=with_environments,
        licence=licence,
    )
    _move(folder, public=public)
    for version in study.protocol_versions.order_by("number"):
        (folder / "protocols").mkdir(exist_ok=True)
        text = exported(version)
        file = folder / "protocols" / f"version-{version.number}.json"
        file.write_text(variant.protocol(text) if variant else text)
    moment = variant.moment if variant else None
    recordings, damaged = _recordings(study, folder / "recordings", names, moment)
    columns = {name: frame.columns for name, frame in frames.items()}
    (folder / "dataset_description.json").write_text(psych_ds(study, tables, columns, public=public))
    (folder / README).write_text(card(study, frames, tables, public=public, licence=licence))
    _write_published(study, folder, public=public)
    _write_sums(folder)
    return Package(dataset, recordings, tuple(damaged))


def _write_published(study: Study, folder: Path, *, public: bool) -> None:
    """The figures and what computes them again; the chain rests on times that the public variant rounds."""
    (folder / "published.json").write_text(json.dumps(published(study), indent=1) + "\n")
    (folder / "fewest.json").write_text(json.dumps(fewest(study), indent=1) + "\n")
    (folder / MASKS).write_text(json.dumps(masks(study), indent=1) + "\n")
    for program in _PROGRAMS[:-1] if public else _PROGRAMS:
        shutil.copy(Path(__file__).with_name(program), folder / program)


def _move(folder: Path, *, public: bool) -> None:
    """What describes the tables lies beside them; the public variant has no digest of what it leaves out.

    Where the data are from, the package says in its README and in the first line of each recording.
    """
    (folder / PARQUET / ORIGIN).unlink(missing_ok=True)
    (folder / PARQUET / "codebook.md").rename(folder / "codebook.md")
    (folder / PARQUET / README).unlink()
    for name in (FACTS, "signed_days.json"):
        file = folder / PARQUET / name
        if public:
            file.unlink()
        else:
            file.rename(folder / name)


def _recordings(study: Study, folder: Path, names: Names, moment: datetime | None) -> tuple[int, list[int]]:
    """Writes them, in the public variant with this moment as every time."""
    folder.mkdir()
    written, damaged = 0, []
    shown = Attempt.objects.filter(session__study=study, ended_at__isnull=False, first_frame_at__isnull=False)
    ended = shown.exclude(TASKS)  # the official form knows no edits: they are in a table
    whole = ended.select_related("version", "participant", "session__study__outside")
    for attempt in whole.order_by("pk").iterator(chunk_size=100):
        number = names.number("attempt", attempt.pk)
        guid = f"attempt-{number}"
        file = folder / f"{number}-{file_name(attempt, guid)}.gz"
        lines = recording_lines(attempt, guid, moment=moment)
        try:
            with gzip.GzipFile(file, "wb", _LEVEL, mtime=0) as packed:
                for line in lines:
                    packed.write(line.encode())
        except Refusal:  # the other attempts are whole
            file.unlink()
            damaged.append(attempt.pk)
        else:
            written += 1
    return written, damaged


def _write_sums(folder: Path) -> None:
    """`SHA256SUMS`, which sha256sum reads."""
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    lines = [f"{_digest(file)}  {file.relative_to(folder).as_posix()}\n" for file in files]
    (folder / "SHA256SUMS").write_text("".join(lines))


def _digest(file: Path) -> str:
    with file.open("rb") as source:
        found = sha256()
        while piece := source.read(2**20):
            found.update(piece)
    return found.hexdigest()
