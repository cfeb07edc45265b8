"""Checks an exported study as docs/journal.md says, knowing nothing of the product.

    python tests/review/outside.py FOLDER [PUBLIC_KEY]

FOLDER holds a study's data as CSV. PUBLIC_KEY, hexadecimal, is the key that you trust; without it the first
day's own key is taken. Prints what differs, one line each; exit status 1 if anything does.
"""

import csv
import json
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

type Row = dict[str, str]

INPUTS = {"unknown": 0, "key": 1, "key_repeat": 2, "mouse": 3, "touch": 4, "button": 5}
AS_THEY_ARE = "seq action x y level levels_completed".split()


def check(folder: Path, trusted: str | None = None) -> list[str]:
    """What differs, as sentences; nothing if the export is as it was recorded and signed."""
    days = json.loads((folder / "signed_days.json").read_text())["days"]
    attempts = {row["attempt"]: row for row in rows(folder / "attempts.csv")}
    journals: dict[str, list[Row]] = {number: [] for number in attempts}
    for entry in rows(folder / "entries.csv"):
        journals[entry["attempt"]].append(entry)
    chains = {number: chain(attempts[number], journals[number]) for number in attempts}
    return [
        *signatures(days, trusted),
        *(found for number in attempts for found in journal(attempts[number], journals[number])),
        *heads(days, attempts, chains),
    ]


def signatures(days: list[Row], trusted: str | None) -> Iterator[str]:
    previous = ""
    for day in days:
        text = day["document"].encode()
        key = bytes.fromhex(trusted or days[0]["public_key"])
        try:
            Ed25519PublicKey.from_public_bytes(key).verify(bytes.fromhex(day["signature"]), text)
        except InvalidSignature:
            yield f"day {day['day']}: the signature is not one of this list by this key"
        if json.loads(text)["previous"] != previous:
            yield f"day {day['day']}: the day before is another one"
        previous = sha256(text).hexdigest()


def start(attempt: Row) -> bytes:
    facts = [attempt[name] for name in ("attempt", "session", "number", "game_id", "version", "seed")]
    return link(b"", ["attempt 1", *facts, microseconds(attempt["assigned_at"])])


def line(entry: Row) -> list[str]:
    return [
        "entry 1",
        *(entry[name] for name in AS_THEY_ARE),
        truth(entry["level_completed"]),
        entry["state"],
        entry["available"],
        truth(entry["changed"]),
        entry["state_hash"].removeprefix("h"),
        entry["frame_count"],
        entry["frames_digest"],
        str(INPUTS[entry["input"]]),
        microseconds(entry["server_time"]),
        microseconds(entry["client_time"]),
        entry["previous_paint_ms"],
        *([entry["edit"]] if entry["edit"] else []),
    ]


def chain(attempt: Row, entries: list[Row]) -> list[str]:
    """The start value and that of every entry, computed."""
    values = [start(attempt)]
    for entry in entries:
        values.append(link(values[-1], line(entry)))
    return [value.hex() for value in values]


def journal(attempt: Row, entries: list[Row]) -> Iterator[str]:
    name, values = f"attempt {attempt['attempt']}", chain(attempt, entries)
    for number, entry in enumerate(entries):
        if entry["seq"] != str(number):
            yield f"{name}: entry {number} is missing"
            return
        if entry["chain"] != values[number + 1]:
            yield f"{name}: entry {number} is not what was recorded"
            return
    times = [microseconds(attempt[when]) for when in ("first_frame_at", "ended_at")]
    end = ["end 1", str(len(entries)), *times, attempt["outcome"]]
    end += [plain(attempt["fault_code"]), plain(attempt["fault_message"])]
    if attempt["seal"] != link(bytes.fromhex(values[-1]), end).hex():
        yield f"{name}: the end is not what was sealed"


def heads(days: list[Row], attempts: dict[str, Row], chains: dict[str, list[str]]) -> Iterator[str]:
    for day in days:
        for number, entries, head, seal in json.loads(day["document"])["attempts"]:
            known = chains.get(str(number))
            if known is None:
                continue  # of another study, open when the data was taken, or withdrawn
            if entries >= len(known) or known[entries] != head:
                yield f"attempt {number}: the list of {day['day']} has another head after {entries} entries"
            if seal and attempts[str(number)]["seal"] != seal:
                yield f"attempt {number}: the list of {day['day']} has another end"


def link(before: bytes, facts: list[str]) -> bytes:
    return sha256(before + "|".join(facts).encode()).digest()


def truth(value: str) -> str:
    return {"true": "1", "false": "0"}[value]


def plain(value: str) -> str:
    return value[1:] if value[:1] == "'" and value[1:2] in tuple("=+-@\t\r\n＝＋－＠") else value  # noqa: RUF001


def microseconds(time: str) -> str:
    if not time:
        return ""
    moment = datetime.strptime(time, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=UTC)
    since = moment - datetime(1970, 1, 1, tzinfo=UTC)
    return str((since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds)


def rows(path: Path) -> list[Row]:
    with path.open(newline="", encoding="utf-8-sig") as file:
        return list(csv.DictReader(file))


if __name__ == "__main__":
    differing = check(Path(sys.argv[1]), *sys.argv[2:3])
    sys.stdout.write("\n".join(differing or ["Everything is as it was recorded and signed."]) + "\n")
    sys.exit(bool(differing))
