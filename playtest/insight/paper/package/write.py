"""Writes a package into a folder."""

import gzip
import json
import shutil
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import polars as pl

from playtest.insight.compute.results import bring_up_to_date
from playtest.insight.paper.package.coarse import coarse, coarse_lines
from playtest.insight.paper.package.describe import card, csv_name, psych_ds
from playtest.insight.paper.package.for_import import FOLDER, write_for_import
from playtest.insight.paper.package.published import fewest, published
from playtest.insight.scope import Scope
from playtest.play.errors import Refusal
from playtest.play.models import Attempt, Study
from playtest.play.sessions.reads import TASKS
from playtest.play.sessions.studies import exported, questions_of_study
from playtest.review import codebook
from playtest.review.official_recording import file_name, recording_lines
from playtest.review.queries.dataset import Names
from playtest.review.services.dataset import ORIGIN, Dataset, write_dataset
from playtest.review.services.table_files import PARQUET, write_csv

_PROGRAMS = ("load.py", "figures.ipynb", "recompute.py", "recompute_chain.py")


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
    """Writes into a folder, made if there is none. `licence` is what its users are told of it.

    Refusal: folder_not_empty, public_identified, sources_not_public.
    """
    if identified and public:
        raise Refusal("public_identified", "The public variant names nobody: leave out --identified.")
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise Refusal("folder_not_empty", f"{folder} has files already: name an empty folder, or a new one.")
    bring_up_to_date(Scope(study).attempts)
    questions = questions_of_study(study)
    tables = codebook.tables_of(questions)
    dataset = write_dataset(study, folder / PARQUET, PARQUET, identified=identified)
    names = Names(study, identified=identified)
    write_for_import(
        study,
        folder / FOLDER,
        names,
        public=public,
        with_environments=with_environments,
        licence=licence,
    )
    frames = {}
    for table in tables:
        file = folder / PARQUET / f"{table.name}.parquet"
        frames[table.name] = pl.read_parquet(file)
        if public:
            frames[table.name] = coarse(table.name, frames[table.name], questions)
            frames[table.name].write_parquet(file)
        write_csv(frames[table.name].lazy(), folder / "data" / csv_name(study, table.name))
    _move(folder, public=public)
    for version in study.protocol_versions.order_by("number"):
        (folder / "protocols").mkdir(exist_ok=True)
        (folder / "protocols" / f"version-{version.number}.json").write_text(exported(version))
    recordings, damaged = _recordings(study, folder / "recordings", names, public=public)
    columns = {name: frame.columns for name, frame in frames.items()}
    (folder / "dataset_description.json").write_text(psych_ds(study, tables, columns))
    (folder / "README.md").write_text(card(study, frames, tables, public=public))
    _write_published(study, folder, public=public)
    _write_sums(folder)
    return Package(dataset, recordings, tuple(damaged))


def _write_published(study: Study, folder: Path, *, public: bool) -> None:
    """The figures and what computes them again; the chain rests on times that the public variant rounds."""
    (folder / "published.json").write_text(json.dumps(published(study), indent=1) + "\n")
    (folder / "fewest.json").write_text(json.dumps(fewest(study), indent=1) + "\n")
    for program in _PROGRAMS[:-1] if public else _PROGRAMS:
        shutil.copy(Path(__file__).with_name(program), folder / program)


def _move(folder: Path, *, public: bool) -> None:
    """What describes the tables lies beside them; the public variant has no digest of what it leaves out.

    Where the data are from, the package says in its README.
    """
    (folder / PARQUET / ORIGIN).unlink(missing_ok=True)
    (folder / PARQUET / "codebook.md").rename(folder / "codebook.md")
    for name in ("dataset.json", "signed_days.json"):
        file = folder / PARQUET / name
        if public:
            file.unlink()
        else:
            file.rename(folder / name)


def _recordings(study: Study, folder: Path, names: Names, *, public: bool) -> tuple[int, list[int]]:
    folder.mkdir()
    written, damaged = 0, []
    shown = Attempt.objects.filter(session__study=study, ended_at__isnull=False, first_frame_at__isnull=False)
    ended = shown.exclude(TASKS)  # the official form knows no edits: they are in a table
    for attempt in ended.select_related("version", "participant").order_by("pk").iterator(chunk_size=100):
        number = names.number("attempt", attempt.pk)
        guid = f"attempt-{number}"
        file = folder / f"{number}-{file_name(attempt, guid)}.gz"
        lines = recording_lines(attempt, guid)
        try:
            with gzip.GzipFile(file, "wb", mtime=0) as packed:
                for line in coarse_lines(lines) if public else lines:
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
