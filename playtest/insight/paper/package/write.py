"""Writes a package into a folder.

Nothing in the public variant tells when somebody was in the room or where they sat, what time they took but
in minutes, or what only a few people answered (docs/decisions/0225).
"""

import gzip
import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import polars as pl
from django.conf import settings

from playtest.insight.compute.results import bring_up_to_date
from playtest.insight.pages.study.people import LANGUAGE, released_answers
from playtest.insight.paper.package.describe import card, csv_name, psych_ds
from playtest.insight.paper.package.for_import import FOLDER, MASKS, write_for_import
from playtest.insight.paper.package.published import fewest, masks, published
from playtest.insight.scope import Scope
from playtest.people.participants import names_of_persons
from playtest.play.errors import Refusal
from playtest.play.models import Attempt, Study
from playtest.play.sessions.reads import TASKS
from playtest.play.sessions.studies import exported, questions_of_study
from playtest.review import codebook
from playtest.review.codebook import Table
from playtest.review.official_recording import file_name, recording_lines
from playtest.review.queries.dataset import Names
from playtest.review.services.dataset import FACTS, ORIGIN, README, Dataset, write_dataset
from playtest.review.services.table_files import NUMBERS, PARQUET, write_csv
from playtest.rules.survey import Question

SECONDS = 60
"""Times that people took are whole multiples of so many seconds."""
_LEFT_OUT = {
    "sessions": ("reference", "station"),
    "attempts": ("ratings", "seal"),
    "entries": (
        "server_time", "client_time", "previous_paint_ms", "paint_ms", "screen_age_ms", "queued_ms", "input",
        "chain",
    ),
    "level_results": ("entered_at", "last_at", "seconds", "active_seconds"),
    "edits": ("seconds",),
    "flags": ("figures", "sentence"),
    "decisions": ("words",),
}  # fmt: skip
"""Columns that the public variant does not have."""
_EMPTY = ("debriefs", "events", "comments")
"""Tables without rows: what people said of environments, and what happened around them."""


class PublicVariant:
    """What a study's public data have instead of its data. `tables` are all its tables, by name.

    Rows have other numbers than in the record, in no order of time, which `names` has from then on.
    """

    def __init__(self, study: Study, names: Names, tables: dict[str, pl.DataFrame]) -> None:
        self.moment = study.created_at.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
        self._answers = _by_session(study, names)
        sessions, attempts, decisions = (tables[name] for name in ("sessions", "attempts", "decisions"))
        self._numbers = {
            "session": names.shuffle("session", sessions["session"].to_list()),
            "attempt": names.shuffle("attempt", attempts["attempt"].to_list()),
        }
        of_session = pl.col("session").replace(self._numbers["session"])  # each before those that refer to it
        ordered = decisions.sort(of_session, "decision")["decision"].to_list()
        self._numbers["decision"] = {number: place for place, number in enumerate(ordered, start=1)}

    def table(self, table: Table, frame: pl.DataFrame, questions: Sequence[Question]) -> pl.DataFrame:
        """A table of the data; every time in it is `moment`."""
        if table.name in _EMPTY:
            frame = frame.clear()
        if table.name == "sessions":
            frame = self._with_answers(frame, questions)
        frame = frame.with_columns(_in_minutes(table.name))
        found = frame.with_columns(map(self._column, frame.get_columns()))
        return found.drop(_LEFT_OUT.get(table.name, ()), strict=False).sort(table.key)

    def protocol(self, exported: str) -> str:
        """A version of the protocol as `studies.exported` writes it."""
        document: dict[str, Any] = json.loads(exported)
        times = (name for name in ("created_at", "frozen_at") if document[name] is not None)
        document |= dict.fromkeys(times, self.moment.isoformat())
        return json.dumps(document, indent=2, sort_keys=True, ensure_ascii=False) + "\n"

    def _column(self, column: pl.Series) -> pl.Expr:
        found = pl.col(column.name)
        if isinstance(column.dtype, pl.Datetime):
            return (
                pl.when(found.is_not_null()).then(pl.lit(self.moment).cast(column.dtype)).alias(column.name)
            )
        if numbers := self._numbers.get(NUMBERS.get(column.name, "")):
            return found.replace(numbers)
        return found

    def _with_answers(self, sessions: pl.DataFrame, questions: Sequence[Question]) -> pl.DataFrame:
        """The language and the answers of each person as `released_answers`; texts are left out."""
        left = [self._answers.get(number, {}) for number in sessions["session"].to_list()]
        columns = {f"survey_{question.name}": question.name for question in questions} | {LANGUAGE: LANGUAGE}
        texts = [f"survey_{question.name}" for question in questions if not question.groups]
        return sessions.with_columns(
            pl.Series(column, [one.get(name) for one in left], pl.String) for column, name in columns.items()
        ).drop(texts)


def described(table: Table, frame: pl.DataFrame) -> Table:
    """A table of the codebook without the columns that the frame does not have."""
    return replace(table, columns=tuple(one for one in table.columns if one.name in frame.columns))


def _by_session(study: Study, names: Names) -> dict[int, dict[str, str | None]]:
    """The answers of who sat in each session, by its number."""
    released, persons = released_answers(study), names_of_persons()
    return {
        names.number("session", pk): released.get(persons.get(label, label), {})
        for pk, label in study.sessions.values_list("pk", "participant__label")
    }


def _in_minutes(table: str) -> list[pl.Expr]:
    """Rounded down, and of an attempt to the side on which it counts or not, as it does."""
    seconds, paused = ((pl.col(name) // SECONDS) * SECONDS for name in ("seconds", "paused_seconds"))
    if table == "submissions":
        return [seconds]
    if table != "attempts":
        return []
    up = (pl.col("kind") == "task") == pl.col("counted")
    return [
        pl.when(up).then((pl.col("seconds") / SECONDS).ceil() * SECONDS).otherwise(seconds).alias("seconds"),
        paused,
    ]


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
