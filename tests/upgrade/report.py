"""`python -m tests.upgrade.report`: prints numbers of an installation's data as JSON.

It uses only what does not change between versions: commands, addresses, exported columns and tables. The
figures of the version before and of this one are both made by this program. Standard input: a list of
addresses to read as a lead, "" for none.
"""

import csv
import io
import json
import re
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import django
from django.core.management import call_command

COMPUTED = ("insight_levelresult", "insight_summary")
"""Tables that are filled when something asks for what is in them: counted last."""
DIGITS = 9
"""Of a float: the last ones depend on the order of additions."""


def report(addresses: list[str]) -> dict[str, Any]:
    from django.db import connection

    studies = _rows("SELECT name FROM play_study ORDER BY id")
    codes = _rows("SELECT code FROM studio_environment WHERE current_id IS NOT NULL ORDER BY code")
    tables = sorted(connection.introspection.table_names())
    counts = {table: _rows(f"SELECT COUNT(*) FROM {table}")[0][0] for table in tables}
    found = {
        "verification": verification(),
        "baselines": {code: baselines(code) for (code,) in codes},
        "answers": {address: answer(address) for address in addresses},
        "datasets": {name: dataset(name) for (name,) in studies},
    }
    computed = [table for table in tables if table in COMPUTED]
    counts |= {table: _rows(f"SELECT COUNT(*) FROM {table}")[0][0] for table in computed}
    return found | {"tables": counts}


def verification() -> list[Any]:
    """The result of verification for each attempt and signed day."""
    return [json.loads(line) for line in sorted(_command("verify_attempts", json=True).splitlines())]


def baselines(code: str) -> dict[str, Any]:
    """The current baseline, the one with everybody and the one of each study."""
    asked: dict[str, dict[str, Any]] = {"": {}, "with excluded": {"with_excluded": True}}
    asked |= {f"study {pk}": {"study": str(pk)} for (pk,) in _rows("SELECT id FROM play_study")}
    releases = f"""
        SELECT number FROM insight_release
        JOIN studio_environment ON studio_environment.id = environment_id WHERE code = '{code}'
    """
    asked |= {f"release {number}": {"release": number} for (number,) in _rows(releases)}
    found = {
        name: json.loads(_command("baseline", code, json=True, **options)) for name, options in asked.items()
    }
    return {name: [one["people"], *map(_numbers, one["levels"])] for name, one in found.items()}


def answer(address: str) -> Any:
    """A figure's numbers, a file's rows or a page's amounts owed; otherwise the status."""
    from django.contrib.auth import get_user_model
    from django.test import Client

    client = Client(headers={"host": "localhost"})
    lead = get_user_model().objects.get(username="lead")
    client.force_login(lead, backend="django.contrib.auth.backends.ModelBackend")
    response = client.get(address)
    if response.status_code != 200:
        return response.status_code
    path = address.partition("?")[0]
    if path.endswith(".csv"):
        return [_numbers_in(row) for row in csv.reader(io.StringIO(response.content.decode("utf-8-sig")))]
    if path.endswith(".json"):
        return [_numbers(row) for row in response.json()["rows"]]
    return [response.status_code, *re.findall(r"\$(\d+)", response.content.decode())]


def dataset(study: str) -> dict[str, Any]:
    """Returns the exported rows of a study, by file."""
    with TemporaryDirectory() as folder:
        _command("export_study", study, to=Path(folder), format="csv")
        return {path.stem: _table(path) for path in sorted(Path(folder).glob("*.csv"))}


def _table(path: Path) -> Any:
    """Returns a table's rows; of entries only their number, because verification reads them."""
    with path.open(newline="", encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    return len(rows) if path.stem == "entries" else [_without_letters(row) for row in rows]


def _without_letters(row: dict[str, str]) -> dict[str, str]:
    """Pseudonyms and hashes of states begin with a letter since decision 227."""
    return {name: re.sub(r"\A[hps](?=[0-9a-f]{12,}\Z)", "", value) for name, value in row.items()}


def _numbers(row: dict[str, Any]) -> dict[str, Any]:
    return {name: _rounded(value) for name, value in row.items() if not isinstance(value, str)}


def _rounded(value: Any) -> Any:
    if isinstance(value, list):
        return [_rounded(one) for one in value]
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value


def _numbers_in(row: list[str]) -> list[float]:
    return [_rounded(float(cell)) for cell in row if cell.lstrip("-").replace(".", "", 1).isdigit()]


def _command(name: str, *arguments: str, **options: Any) -> str:
    written = io.StringIO()
    call_command(name, *arguments, stdout=written, **options)
    return written.getvalue()


def _rows(query: str) -> list[Any]:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(query)
        return list(cursor.fetchall())


if __name__ == "__main__":
    django.setup()
    json.dump(report(json.load(sys.stdin)), sys.stdout)
