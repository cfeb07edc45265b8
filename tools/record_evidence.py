"""`python -m tools.record_evidence [CODE ...]`: qualifies shipped environments, and plays them at random.

Writes `games/CODE/evidence.json`, which a new installation takes. What it says of the present version is not
done again. DATA_DIR names a new folder. All twelve take hours: a full qualification has two million steps.
"""

import argparse
import os
import sys
from pathlib import Path

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "playtest.settings")
django.setup()

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402

from playtest.rules.pipeline import Need  # noqa: E402
from playtest.studio.models import Environment, Version  # noqa: E402
from playtest.studio.queries import evidence, gates  # noqa: E402
from playtest.studio.services import load_environments, random_plays  # noqa: E402
from playtest.studio.services.shipped_evidence import EVIDENCE_FILE, take_evidence, write_evidence  # noqa: E402

SEED = 1


def main(arguments: list[str]) -> int:
    """Makes what is missing, writes the files, and says what the gates make of it; 1 if a need stays open."""
    parser = argparse.ArgumentParser(prog="python -m tools.record_evidence", description=__doc__)
    parser.add_argument("codes", nargs="*", metavar="CODE", help="default: all")
    codes: list[str] = parser.parse_args(arguments).codes
    call_command("migrate", verbosity=0)
    load_environments(settings.GAMES_DIR)
    here = Environment.objects.exclude(current=None).select_related("current").order_by("code")
    unmet = 0
    for environment in here.filter(code__in=codes) if codes else here:
        assert environment.current is not None
        _gather(environment.current, settings.GAMES_DIR / environment.code / EVIDENCE_FILE)
        known = gates.facts([environment], {environment.pk: []})[environment.pk]
        for need in (Need.QUALIFIED, Need.UNGUESSABLE):
            unmet += not known[need].met
            print(f"{environment.code}: {known[need].sentence}", flush=True)
    return min(unmet, 1)


def _gather(version: Version, file: Path) -> None:
    if file.exists():
        take_evidence(version, file)
    for level in evidence.plan(version).plays:
        again = version.randomplays.filter(level=level).count()  # what is stored did not decide
        random_plays.do_play(random_plays.create(version, level, seed=SEED + again).pk)
        write_evidence(version, file)
    if not version.qualifications.filter(full=True, passed=True).exists():
        call_command("qualify", version.environment.code, seed=SEED)
    write_evidence(version, file)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
