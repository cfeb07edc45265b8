"""Computes the published figures about static tasks again: a part of `recompute.py`, which runs it.

A submission is an entry whose edit says so. The first `tries` of the protocol for a test input count; it is
solved if one of them is right, which the entry says that completed it. A task is solved by all its test
inputs. Included are attempts that count and of which nothing is excluded.
"""

import json
from collections import defaultdict
from pathlib import Path
from statistics import median
from typing import Any

import polars as pl

type Row = dict[str, Any]
type Flag = tuple[int, int | None, str, str]
"""Session, attempt (None: the whole session), rule, strength."""

USUAL_TRIES = 2
USUAL_VIEW_SECONDS = 5
USUAL_SIGNS = {"unedited_tasks": 2, "repeated_submissions": 1, "empty_submissions": 1, "idle_returns": 3}
"""A protocol that does not say otherwise is the usual one."""
REVIEW, STRONG = "review", "strong"


def task_figures(folder: Path, tables: dict[str, pl.DataFrame], attempts: pl.DataFrame) -> dict[str, Any]:
    """As `published.json` has them under `tasks`; `attempts` are those of whom figures are."""
    included = attempts.filter(pl.col("kind") == "task", "counted", pl.col("excluded_from").is_null())
    tries = tries_of_sessions(folder, tables["sessions"])
    journals = tables["entries"].sort("attempt", "seq").partition_by("attempt", as_dict=True)
    pairs: dict[tuple[str, str, int], list[int | None]] = defaultdict(list)
    solved_tasks = solved_pairs = submissions = 0
    rows = included.to_dicts()
    for row in rows:
        solved_at, made = submitted(journals[row["attempt"],].to_dicts(), tries[row["session"]])
        submissions += made
        for number in range(1, row["levels"] + 1):
            pairs[row["environment"], row["version"], number].append(solved_at.get(number))
        solved_pairs += len(solved_at)
        solved_tasks += len(solved_at) == row["levels"]
    return {
        "attempts": len(rows),
        "people": len({row["participant"] for row in rows}),
        "sessions": len({row["session"] for row in rows}),
        "submissions": submissions,
        "solved_tasks": solved_tasks,
        "solved_pairs": solved_pairs,
        "pairs": [
            {
                "environment": environment,
                "version": version,
                "input": number,
                "people": len(found),
                "solved": sum(at is not None for at in found),
                "solved_at_first": sum(at == 1 for at in found),
            }
            for (environment, version, number), found in sorted(pairs.items())
        ],
        "median_seconds": round(median(row["seconds"] for row in rows), 3) if rows else None,
    }


def submitted(entries: list[Row], tries: int) -> tuple[dict[int, int], int]:
    """Which submission solved each test input, of those that it solved, and how many there were in all."""
    made: dict[int, int] = defaultdict(int)
    solved: dict[int, int] = {}
    for entry in entries:
        if entry["edit"] is not None and json.loads(entry["edit"])["op"] == "submit":
            made[entry["level"]] += 1
            if entry["level_completed"] and made[entry["level"]] <= tries:
                solved[entry["level"]] = made[entry["level"]]
    return solved, sum(made.values())


def submission_differences(folder: Path, tables: dict[str, pl.DataFrame]) -> list[str]:
    """Submissions of which the table says something else than the journal.

    An input is solved by the first right submission that counts.
    """
    tries = tries_of_sessions(folder, tables["sessions"])
    session = dict(tables["attempts"].select("attempt", "session").iter_rows())
    completed = {
        (attempt, seq): done
        for attempt, seq, done in tables["entries"].select("attempt", "seq", "level_completed").iter_rows()
    }
    found, made = list[str](), defaultdict[tuple[int, int], int](int)
    solved = set[tuple[int, int]]()
    for row in tables["submissions"].sort("attempt", "seq").to_dicts():
        attempt, seq = row["attempt"], row["seq"]
        made[attempt, row["input"]] += 1
        number = made[attempt, row["input"]]
        counted = number <= tries[session[attempt]]
        if (row["number"], row["counted"]) != (number, counted):
            found.append(f"submission {seq} of attempt {attempt}: its number is not that of the journal")
        solves = counted and row["right"] and (attempt, row["input"]) not in solved
        if completed[attempt, seq] != solves:
            found.append(f"submission {seq} of attempt {attempt}: the journal says otherwise what it solved")
        if solves:
            solved.add((attempt, row["input"]))
    return found


def task_flags(folder: Path, tables: dict[str, pl.DataFrame]) -> set[Flag]:
    """The effort flags that static tasks raise (docs/effort.md)."""
    ended = tables["attempts"].filter(
        pl.col("kind") == "task", pl.col("first_frame_at").is_not_null(), pl.col("outcome") != "fault"
    )
    protocols = protocols_of_sessions(folder, tables["sessions"])
    submissions = tables["submissions"].sort("attempt", "seq").partition_by("attempt", as_dict=True)
    journals = tables["entries"].sort("attempt", "seq").partition_by("attempt", as_dict=True)
    events = tables["events"].sort("event").partition_by("session", as_dict=True)
    found = set[Flag]()
    for (session,), rows in ended.sort("number").partition_by("session", as_dict=True).items():
        made = [
            submission
            for row in rows.to_dicts()
            if (row["attempt"],) in submissions
            for submission in submissions[row["attempt"],].to_dicts()
        ]
        entries = {row["attempt"]: journals[row["attempt"],].to_dicts() for row in rows.to_dicts()}
        of_session = events[session,].to_dicts() if (session,) in events else []
        returns = idle_returns(rows.to_dicts(), entries, of_session)
        flags = signs(rows.to_dicts(), made, returns, protocols[session])
        found |= {(session, None, *flag) for flag in flags}
    return found


def idle_returns(attempts: list[Row], journals: dict[int, list[Row]], events: list[Row]) -> int:
    """How often somebody went back to a task that was set aside, from another one, and edited nothing."""
    views: list[tuple[Any, int, bool]] = []
    for row in attempts:
        attempt = row["attempt"]
        starts: list[Any] = [row["first_frame_at"]]
        ends: list[Any] = []
        for event in events:
            if event["attempt"] == attempt and event["kind"] in ("set_aside", "taken_up"):
                (ends if event["kind"] == "set_aside" else starts).append(event["server_time"])
        for start, end in zip(starts, [*ends, row["ended_at"]], strict=False):
            times = [entry["server_time"] for entry in journals[attempt] if entry["seq"]]
            views.append((start, attempt, any(start <= time <= end for time in times)))
    views.sort()
    return sum(
        not edited
        and any(before == attempt for _, before, _ in views[:place])
        and views[place - 1][1] != attempt
        for place, (_, attempt, edited) in enumerate(views)
    )


def signs(
    attempts: list[Row], submissions: list[Row], returns: int, protocol: dict[str, Any]
) -> set[tuple[str, str]]:
    """Rule and strength of the flags of one session."""
    limits = USUAL_SIGNS | protocol["effort"]["thresholds"]
    viewed = protocol.get("tasks", {}).get("view_seconds", USUAL_VIEW_SECONDS)
    counted = [row for row in attempts if row["seconds"] > viewed]
    unedited = sum(row["actions"] == 0 for row in counted)
    found = set()
    if unedited >= max(1, limits["unedited_tasks"]):
        several = unedited >= limits["random_strong_environments"]
        most = several and unedited > limits["random_strong_share"] * len(counted)
        found.add(("unedited_tasks", STRONG if most else REVIEW))
    grids = [(row["attempt"], row["input"], row["grid"]) for row in submissions]
    if len(grids) - len(set(grids)) >= max(1, limits["repeated_submissions"]):
        found.add(("repeated_submissions", REVIEW))
    empty = sum(not row["right"] and set(row["grid"]) <= set("[],0") for row in submissions)
    if empty >= max(1, limits["empty_submissions"]):
        found.add(("empty_submissions", REVIEW))
    if returns >= max(1, limits["idle_returns"]):
        found.add(("idle_returns", REVIEW))
    return found


def tries_of_sessions(folder: Path, sessions: pl.DataFrame) -> dict[int, int]:
    """How many submissions for a test input count, by session."""
    return {
        session: protocol.get("tasks", {}).get("tries", USUAL_TRIES)
        for session, protocol in protocols_of_sessions(folder, sessions).items()
    }


def protocols_of_sessions(folder: Path, sessions: pl.DataFrame) -> dict[int, dict[str, Any]]:
    """What each session that was begun follows."""
    versions = [json.loads(file.read_text()) for file in (folder / "protocols").glob("*.json")]
    protocols = {version["version"]: version["protocol"] for version in versions}
    rows = sessions.filter(pl.col("protocol_version").is_not_null()).select("session", "protocol_version")
    return {session: protocols[version] for session, version in rows.iter_rows()}
