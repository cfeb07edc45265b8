"""`python -m tools.record_demonstration`: simulated people play the demonstrations again, for their packages.

Needs a new installation: `make demonstration` makes one, and removes it. Exits with status 1 if that fails.
"""

import argparse
import json
import os
import sys
import zipfile
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

import django
import polars as pl

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "playtest.settings")
django.setup()

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402

from playtest.insight.compute.results import bring_up_to_date  # noqa: E402
from playtest.insight.pages.baseline.report import baseline_report  # noqa: E402
from playtest.insight.paper.package.read import SUMS  # noqa: E402
from playtest.insight.paper.package.write import write_package  # noqa: E402
from playtest.insight.scope import Scope  # noqa: E402
from playtest.play.errors import Refusal  # noqa: E402
from playtest.play.models import Attempt, Session, Study  # noqa: E402
from playtest.play.sessions.studies import change_study, create_study  # noqa: E402
from playtest.rehearsal.browser import RehearsalFailed  # noqa: E402
from playtest.rehearsal.demonstration import ALL, REFERENCE, Demonstration  # noqa: E402
from playtest.rehearsal.program import Program, rehearse  # noqa: E402
from playtest.review.services.effort import assess  # noqa: E402
from playtest.rules.acceptance import Acceptance  # noqa: E402
from playtest.rules.protocol import DEFAULT  # noqa: E402
from playtest.studio.models import Environment  # noqa: E402

_SEED = 11
_LICENCE = "that of the product; everybody in it is simulated"
_NEEDED = ("parquet", "import", "protocols", "published.json")
"""What an import reads of a package."""


def main(arguments: list[str]) -> str:
    """Lets them play, and writes the packages; what went wrong, or ""."""
    parser = argparse.ArgumentParser(prog="python -m tools.record_demonstration", description=__doc__)
    parser.add_argument("--to", type=Path, default=settings.DEMONSTRATION_DIR, metavar="DIR")
    folder: Path = parser.parse_args(arguments).to
    call_command("prepare", without_demo=True)
    if Session.objects.exists():
        return "installation_used: name a new DATA_DIR, as make demonstration does."
    folder.mkdir(exist_ok=True)
    for one in ALL:
        pool = list(Environment.objects.filter(kind=one.kind, current__isnull=False).order_by("code"))
        if not pool:
            continue
        try:
            study = _rehearsed(one, pool)
        except (Refusal, RehearsalFailed) as failure:
            return f"rehearsal_failed: {failure}"
        _write(study, folder / one.file)
        print(f"{one.file}: {(folder / one.file).stat().st_size:,} bytes")
        if one.kind.has_levels:
            (folder / REFERENCE).write_text(_references(study))
    return ""


def _rehearsed(one: Demonstration, pool: list[Environment]) -> Study:
    """The closed study after its people have played, with flags and results. Raises as `rehearse`."""
    protocol = replace(DEFAULT, acceptance=Acceptance(people=one.people, solvers=2))
    study = create_study(None, name=one.name, pool=pool, protocol=protocol, rehearsal=True)
    program = Program(study, people=one.people, stations=one.people, seed=_SEED)
    rehearse(program, lambda done: print(f"{study.name}: {done} finished"))
    change_study(study, pool=pool, open=False)
    assess(Session.objects.filter(study=study).select_related("study", "protocol"))
    bring_up_to_date(Attempt.objects.filter(session__study=study))
    return study


def _write(study: Study, file: Path) -> None:
    """Writes a package of what an import needs."""
    with TemporaryDirectory() as made:
        write_package(study, Path(made) / "package", identified=False, licence=_LICENCE)
        pack(Path(made) / "package", study.name, file)


def pack(folder: Path, name: str, file: Path) -> None:
    """Packs it as a ZIP file in which nothing depends on when that was; frames say what their digests say."""
    entries = folder / "parquet" / "entries.parquet"
    table = pl.read_parquet(entries)
    table.drop("frames_digest", strict=False).write_parquet(entries, compression="zstd", compression_level=19)
    files = [one.relative_to(folder) for one in sorted(folder.rglob("*")) if one.is_file()]
    needed = {one.as_posix(): (folder / one).read_bytes() for one in files if one.parts[0] in _NEEDED}
    sums = "".join(f"{sha256(content).hexdigest()}  {one}\n" for one, content in needed.items())
    with zipfile.ZipFile(file, "w") as packed:
        for one, content in ({SUMS: sums.encode()} | needed).items():
            packed.writestr(zipfile.ZipInfo(f"{name}/{one}"), content, zipfile.ZIP_DEFLATED, 9)


def _references(study: Study) -> str:
    """The upper medians of each version all of whose levels were completed, and how many completed each."""
    found = []
    for environment in study.pool.select_related("current").order_by("code"):
        assert environment.current is not None
        levels = [one.baseline for one in baseline_report(environment.current, Scope(study)).levels]
        people = [one.completers for one in levels]
        if all(people):
            named = {"environment": environment.code, "version": environment.current.digest}
            actions = [one.upper_median for one in levels]
            found.append(json.dumps({**named, "actions": actions, "people": people}))
    return "[\n" + ",\n".join(found) + "\n]\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) or 0)
