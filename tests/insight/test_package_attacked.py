"""What somebody who wants to recognise people finds in a study's public data, next to what pages show."""

import csv
import gzip
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import permutations
from pathlib import Path
from random import Random

import polars as pl
import pytest

from playtest.insight.pages.split.groups import chosen, groups
from playtest.insight.pages.study.people import breakdowns
from playtest.insight.pages.study.results import study_results
from playtest.insight.paper.package.write import write_package
from playtest.insight.requests import find_version
from playtest.insight.scope import Scope
from playtest.insight.tables.version import version_results
from playtest.people.roles import Role
from playtest.play.errors import Refusal
from playtest.play.journal.entries import NewEntry, entry_value, microseconds
from playtest.play.journal.writer import inflate
from playtest.play.models import Attempt, Entry, Session, Study
from playtest.review.models import DecisionKind
from playtest.rules.attempt import Outcome
from tests import make
from tests.live.games import WALK
from tests.review.cases import settled
from tests.staff import staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

FEWEST = 5
AGES, GAMES = ("18-24", "25-34", "65+"), ("never", "monthly", "daily")
ACTS: dict[str, Sequence[make.Act]] = {"wk01": WALK[:6], "ck01": [(1, 1)] * 4}


@pytest.fixture(scope="module")
def study(module_db: None) -> Study:
    """People with all kinds of answers, in two languages, under two versions of the protocol; not everybody
    plays everything, and one is excluded.
    """
    random = Random(36)
    pool = [make.environment("wk01"), make.environment("ck01")]
    study = make.study(pool=pool, people=100, more_than_actions=3)
    for number in range(46):
        if number == 30:
            study = make.change(study, soft_seconds=600)
        answers = {"age": random.choice(AGES), "video_games": random.choice(GAMES), "puzzles": "daily"}
        session = make.session(study, answers=answers if number % 9 != 1 else {})
        Session.objects.filter(pk=session.pk).update(language="es" if number % 7 == 0 else "en")
        for _ in range(1 + (number % 3 > 0)):
            make.play(
                session, ACTS, Outcome.GAVE_UP, seconds_an_action=1.01 + random.random(), minutes_ago=60
            )
    settled(study.sessions.latest("pk"), staff(Role.LEAD), DecisionKind.EXCLUDE_SESSION, "did_not_try")
    return make.closed(study)


@pytest.fixture(scope="module")
def package(study: Study, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("written") / "public"
    write_package(study, folder, identified=False, public=True)
    return folder


def texts_of(package: Path) -> Iterator[tuple[str, str]]:
    """Everything in the package as text, by the file's name."""
    for file in sorted(each for each in package.rglob("*") if each.is_file()):
        if file.suffix == ".parquet":
            frame = pl.read_parquet(file)
            numbers = [column for column, kind in frame.schema.items() if kind != pl.Binary]
            yield file.name, frame.select(numbers).write_csv()
        else:
            content = file.read_bytes()
            yield file.name, (gzip.decompress(content) if file.suffix == ".gz" else content).decode()


def test_no_commitment_and_no_exact_time_is_left_to_try_guesses_against(study: Study, package: Path) -> None:
    attempts = list(Attempt.objects.filter(session__study=study))
    entries = list(Entry.objects.filter(attempt__in=attempts))
    hashes = {bytes(one.chain).hex() for one in entries} | {bytes(one.seal or b"").hex() for one in attempts}
    moments = {one.server_time for one in entries} | {one.ended_at for one in attempts if one.ended_at}
    times = {f"{moment:%H:%M:%S}" for moment in moments}
    exact = {str(microseconds(one)) for one in moments}
    texts = [*texts_of(package)]
    for secret, of_their_form in (
        (hashes, r"[0-9a-f]{64}"),
        (times, r"\d\d:\d\d:\d\d"),
        (exact, r"\d{16}"),
    ):
        form = re.compile(f"(?=({of_their_form}))")  # also within longer words
        assert all(form.findall(one) == [one] for one in secret)
        for name, text in texts:
            assert secret.isdisjoint(form.findall(text)), name
    tables = {file.stem: pl.read_parquet(file) for file in (package / "parquet").glob("*.parquet")}
    for name, table in tables.items():
        assert not {"chain", "seal"} & set(table.columns), name
        columns = table.select(pl.col(pl.Datetime("us", "UTC")))
        assert len({one for column in columns for one in column.drop_nulls()}) <= 1, name
        for column in set(table.columns) & {"seconds", "paused_seconds"}:
            assert (table[column] % 60 == 0).all(), (name, column)


def guessed(entry: Entry, before: bytes, moments: Iterable[datetime]) -> list[datetime]:
    """Which of these moments of an entry its chain confirms, for who knows everything else of it."""
    frames = inflate(entry.frames)
    known = NewEntry(**{name: getattr(entry, name) for name in NewEntry._fields})
    return [
        moment
        for moment in moments
        if entry_value(before, known._replace(server_time=moment), frames) == bytes(entry.chain)
    ]


def test_who_has_the_chain_finds_no_time_from_what_the_package_says(study: Study, package: Path) -> None:
    first, second = Entry.objects.filter(attempt__session__study=study).order_by("pk")[:2]
    near = (second.server_time + timedelta(microseconds=off) for off in range(-500, 500))
    assert guessed(second, bytes(first.chain), near) == [second.server_time]  # so he would, with times
    sessions = pl.read_parquet(package / "parquet" / "sessions.parquet")
    moment = sessions["created_at"][0]
    every_minute = (moment + timedelta(minutes=number) for number in range(31 * 24 * 60))
    assert guessed(second, bytes(first.chain), every_minute) == []


def test_numbers_and_places_do_not_tell_who_came_first(study: Study, package: Path) -> None:
    """Who knows exactly when everybody sat down has only the order of rows to compare it with."""
    lengths = dict(Attempt.objects.filter(session__study=study).values_list("pk", "actions"))
    in_time = [lengths[pk] for pk in sorted(lengths)]
    attempts = pl.read_parquet(package / "parquet" / "attempts.parquet")
    assert sorted(attempts["attempt"]) == list(range(1, len(lengths) + 1))
    assert sorted(attempts["actions"]) == sorted(in_time)
    assert attempts["actions"].to_list() != in_time
    sessions = pl.read_parquet(package / "parquet" / "sessions.parquet")
    recorded = study.sessions.order_by("created_at").values_list("protocol__number", flat=True)
    assert sessions["protocol_version"].to_list() != list(recorded)


def released(package: Path) -> list[dict[str, str]]:
    """The rows of sessions, read from CSV."""
    (file,) = (package / "data").glob("*description-sessions_data.csv")
    return list(csv.DictReader(io.StringIO(file.read_text())))


def test_nobody_has_fewer_than_four_others_with_the_same_answers(package: Path) -> None:
    rows = released(package)
    asked = [name for name in rows[0] if name.startswith("survey_")] + ["language"]
    people = {
        row["participant"]: (tuple(row[name] for name in asked), row["protocol_version"]) for row in rows
    }
    assert all(size >= FEWEST for size in Counter(answers for answers, _ in people.values()).values())
    joint = Counter(people.values())
    assert all(size >= FEWEST for (answers, _), size in joint.items() if any(answers))
    assert any(sum(map(bool, answers)) > 1 for answers, _ in joint)


def figures(study: Study, package: Path) -> dict[str, dict[str, int]]:
    """How many people everything that is shown tells to have given each answer, by where it is shown."""
    scopes = {"whole": Scope(study), "excluded": Scope(study, with_excluded=True)}
    for version in study.protocol_versions.all():
        scopes[f"version {version.number}"] = Scope(study, protocol_version=version)
    found: dict[str, dict[str, int]] = {}
    for name, scope in scopes.items():
        for table in breakdowns(study_results(scope)):
            labels = {label: value for value, label in table.question.groups}
            found[f"{table.question.name} {name}"] = {
                labels[one.answer]: one.people for one in table.groups if one.people and one.answer in labels
            }
            for code in ACTS:
                results = version_results(find_version(code), scope)
                parts = groups(results, chosen(scope, f"answer:{table.question.name}"))
                found[f"{table.question.name} {name} {code}"] = {
                    labels[one.label]: one.results.attempts["participant"].n_unique()
                    for one in parts
                    if one.results is not None and one.label in labels
                }
    for row in {row["participant"]: row for row in released(package)}.values():
        for name, answer in row.items():
            if name.startswith("survey_") and answer:
                table_ = found.setdefault(f"{name.removeprefix('survey_')} package", {})
                table_[answer] = table_.get(answer, 0) + 1
    return found


def test_no_difference_of_what_is_shown_tells_of_fewer_than_five(study: Study, package: Path) -> None:
    found = figures(study, package)
    assert sum(bool(sizes) for sizes in found.values()) >= 4
    for one, other in permutations(found, 2):
        if one.split()[0] != other.split()[0]:
            continue
        for answer in found[one].keys() & found[other].keys():
            difference = found[one][answer] - found[other][answer]
            assert difference <= 0 or difference >= FEWEST, (one, other, answer)
    assert all(size >= FEWEST for sizes in found.values() for size in sizes.values())


def test_a_study_that_goes_on_has_no_public_data_yet(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match="Close the study") as refused:
        write_package(make.study(), tmp_path / "public", identified=False, public=True)
    assert refused.value.code == "study_open"
