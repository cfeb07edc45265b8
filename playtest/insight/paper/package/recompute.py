"""Computes the published baselines, success rates and who counts again, from this package alone.

    python recompute.py [FOLDER]

Needs Python 3.12 and polars. Prints every comparison that fails and exits with status 1 if there is one.
What is computed, and from what:

- A level is completed in an attempt if an action completed it (`entries`); its count is the number of actions
  on that level, resets included, from entering it to completing it; undos too (action 7), unless the newest
  protocol says otherwise. Nobody plays an environment twice.
- What reviewers excluded or staff voided is left out: all of an attempt where `excluded_from` is 0, and of
  others the levels whose completing action is excluded.
- A recording from outside that no version plays as recorded counts nowhere (`import/recordings.json`).
- What follows a reset of the whole environment (fewer `levels_completed` than before) counts again once the
  levels that were completed are completed again.
- A baseline is the upper median: of n counts in ascending order the one at index n // 2. Static
  tasks have none.
- An attempt that the session's end or staff cut short neither solved nor failed: it is left out of success.
- An attempt counts if it ended, not by a fault, with more actions and less interaction than the protocol of
  its session says. One that is excluded from an action on counts if the actions before it are enough; it did
  not solve the environment, and is left out of success. An attempt at a static task counts if it took more
  seconds than the protocol says; one that is excluded from an edit on counts.
- Records that staff hold to be one person's have one `person`.
- The chain of hashes is checked by `recompute_chain.py`, where the package has it. The public variant has
  none: the chain rests on times that it rounds.
"""

import json
import sys
from pathlib import Path
from runpy import run_path

import polars as pl

type Row = dict[str, object]

USUAL_VIEW_SECONDS = 5
"""A protocol that does not say otherwise is the usual one."""
IS_TASK = pl.col("kind") == "task"
UNDO = 7


def main(folder: Path) -> int:
    published = json.loads((folder / "published.json").read_text())
    tables = {file.stem: pl.read_parquet(file) for file in sorted((folder / "parquet").glob("*.parquet"))}
    attempts = real(tables["attempts"], tables["sessions"], rehearsal=published["rehearsal"])
    attempts = played_as_recorded(attempts, folder)
    attempts = with_rules(attempts, tables["sessions"], folder)
    differences = [
        *compare(
            "baseline",
            ("environment", "version", "level"),
            baselines(attempts.filter(~IS_TASK), counting(tables["entries"], folder)),
            published["baselines"],
        ),
        *compare("success", ("environment",), success(attempts), published["success"]),
        *counted_again(attempts),
    ]
    people = attempts.filter(counts())["person"].n_unique()
    if people != published["people"]:
        differences.append(f"people: {people} counted, {published['people']} published")
    compared = len(published["baselines"]) + len(published["success"]) + 1
    chain = folder / "recompute_chain.py"
    if chain.exists():
        differences += run_path(str(chain))["chain_differences"](tables)
    for difference in differences:
        print(difference)  # noqa: T201
    print(f"{compared} published figures compared, {len(differences)} differences")  # noqa: T201
    return 1 if differences else 0


def real(attempts: pl.DataFrame, sessions: pl.DataFrame, *, rehearsal: bool) -> pl.DataFrame:
    """Attempts of people; in a rehearsal, of everybody. Those without a first frame are nobody's."""
    chosen = sessions if rehearsal else sessions.filter(~pl.col("simulated"))
    return attempts.join(chosen.select("session"), on="session", how="semi").filter(
        pl.col("first_frame_at").is_not_null()
    )


def played_as_recorded(attempts: pl.DataFrame, folder: Path) -> pl.DataFrame:
    """Without recordings from outside that no version plays as recorded: these have no results."""
    file = folder / "import" / "recordings.json"
    known = json.loads(file.read_text()) if file.exists() else {}
    differing = [int(number) for number, one in known.items() if one["differs_from"] is not None]
    return attempts.filter(~pl.col("attempt").is_in(differing))


def with_rules(attempts: pl.DataFrame, sessions: pl.DataFrame, folder: Path) -> pl.DataFrame:
    """Adds what the protocol of each attempt's session says counts."""
    rules = []
    for file in (folder / "protocols").glob("*.json"):
        version = json.loads(file.read_text())
        rule = version["protocol"]["attempt"]
        viewed = version["protocol"].get("tasks", {}).get("view_seconds", USUAL_VIEW_SECONDS)
        rules.append((version["version"], rule["more_than_actions"], rule["less_than_seconds"], viewed))
    columns = ("protocol_version", "more_than_actions", "less_than_seconds", "view_seconds")
    schema = dict.fromkeys(columns, pl.Int64)
    table = pl.DataFrame(rules, schema, orient="row")
    of_session = sessions.select("session", "protocol_version").join(table, on="protocol_version", how="left")
    return attempts.join(of_session, on="session", how="left")


def counting(entries: pl.DataFrame, folder: Path) -> pl.DataFrame:
    """The entries of first runs, with whether an entry is an action that counts.

    Undos are, unless the newest protocol differs.
    """
    versions = [json.loads(file.read_text()) for file in (folder / "protocols").glob("*.json")]
    newest = max(versions, key=lambda one: int(one["version"]))["protocol"]
    return first_runs(entries).with_columns(
        counts=pl.lit(newest.get("undo_counts", True)) | (pl.col("action") != UNDO)
    )


def first_runs(entries: pl.DataFrame) -> pl.DataFrame:
    """The entries without those that repeat completed levels; the reset before them stays."""
    done = pl.col("levels_completed")
    repeats = (done < done.cum_max()).shift(1, fill_value=False).over("attempt")
    return entries.sort("attempt", "seq").filter(~repeats)


def baselines(attempts: pl.DataFrame, entries: pl.DataFrame) -> list[Row]:
    """The upper median of actions of everybody who completed a level."""
    on_level = (
        entries.filter(pl.col("seq") > 0)
        .group_by("attempt", "level")
        .agg(
            pl.col("counts").sum().clip(1).cast(pl.Int64).alias("actions"),
            pl.col("level_completed").any().alias("completed"),
            pl.col("seq").max().alias("last"),
        )
    )
    found = on_level.filter("completed").join(attempts, on="attempt", suffix="_of_attempt")
    included = pl.col("excluded_from").is_null() | (pl.col("last") < pl.col("excluded_from"))
    groups = found.filter(included).group_by("environment", "version", "level").agg(pl.col("actions").sort())
    return [
        {
            "environment": row["environment"],
            "version": row["version"],
            "level": row["level"],
            "completers": len(row["actions"]),
            "upper_median": row["actions"][len(row["actions"]) // 2],
        }
        for row in groups.to_dicts()
    ]


def counts() -> pl.Expr:
    """Whether an attempt counts, with what is excluded."""
    left = pl.when(IS_TASK).then(0).otherwise(pl.col("more_than_actions") + 1)
    enough = pl.col("excluded_from").is_null() | (pl.col("excluded_from") > left)
    return pl.col("counted") & enough


def success(attempts: pl.DataFrame) -> list[Row]:
    """People whose attempt counts, is whole and was not cut short, and how many completed all levels."""
    judged = ~pl.col("outcome").is_in(["session_over", "ended_by_staff"])
    whole = attempts.filter(counts(), judged, pl.col("excluded_from").is_null())
    solved = (pl.col("outcome") == "completed").sum().cast(pl.Int64).alias("solved")
    return whole.group_by("environment").agg(pl.len().alias("people"), solved).to_dicts()


def counted_again(attempts: pl.DataFrame) -> list[str]:
    """The column `counted` against the rule that it stands for."""
    rightly = (
        pl.col("ended_at").is_not_null()
        & (pl.col("outcome") != "fault")
        & pl.when(IS_TASK)
        .then(pl.col("seconds") > pl.col("view_seconds"))
        .otherwise(
            (pl.col("actions") > pl.col("more_than_actions"))
            & (pl.col("seconds") < pl.col("less_than_seconds") + pl.col("granted_seconds"))
        )
    )
    wrong = attempts.filter(rightly != pl.col("counted"))["attempt"].to_list()
    return [f"attempt {attempt}: counted is not what the protocol says" for attempt in wrong]


def compare(what: str, key: tuple[str, ...], computed: list[Row], published: list[Row]) -> list[str]:
    """A sentence for each row that is not the same on both sides."""
    ours = {tuple(row[name] for name in key): row for row in computed}
    theirs = {tuple(row[name] for name in key): row for row in published}
    named = {one: " ".join(map(str, one)) for one in {*ours, *theirs}}
    return [
        f"{what} {named[one]}: {ours.get(one, 'nothing')} computed, {theirs.get(one, 'nothing')} published"
        for one in sorted(named, key=str)
        if ours.get(one) != theirs.get(one)
    ]


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent))
