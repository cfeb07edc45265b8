"""Measures the search of staff pages in a center of some years: `make bench ARGS=search`.

On PostgreSQL: `scripts/with-services make bench ARGS=search`. The database is a new one, and is thrown away.
"""

import statistics
import tempfile
import time
from pathlib import Path

import django
from django.db import connection

from tests.databases import make_template
from tests.live.server import Server

ENVIRONMENTS, PEOPLE, ATTEMPTS_EACH, REPEATS = 500, 3_000, 10, 15


def main() -> None:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        server = Server(folder / "server", make_template(folder))
        print(server.run("-m", "tests.bench.search"), flush=True)


def measure() -> None:
    """Makes the rows, then searches as a lead, who may open everything."""
    from playtest.people.models import Staff
    from playtest.people.roles import Role
    from playtest.people.search import search
    from playtest.play.models import Attempt, Session

    make_rows()
    lead = Staff.objects.create_user("bench-lead", role=Role.LEAD)
    print(f"{Session.objects.count()} sessions, {Attempt.objects.count()} attempts\n")
    print("| typed | found | median ms | longest ms |\n| --- | --- | --- | --- |")
    label = Session.objects.select_related("participant").latest("pk").participant.label
    texts = (
        "e007",
        "attempt 17",
        "2999",
        label,
        label[:3],
        f"{label} e007",
        "garden",
        "beef",
        "no such thing",
    )
    for typed in texts:
        took, found = [], 0
        for _ in range(REPEATS):
            started = time.perf_counter()
            groups = search(typed, lead)
            took.append(1000 * (time.perf_counter() - started))
            found = sum(len(group.found) for group in groups)
        print(f"| {typed} | {found} | {statistics.median(took):.1f} | {max(took):.1f} |")


def make_rows() -> None:
    """Environments with a version each, a session for each person, and their attempts without journals."""
    from playtest.people.models import Participant
    from playtest.play.clock import now
    from playtest.play.journal.triggers import remove_triggers
    from playtest.play.models import Attempt, Session, SessionEnd
    from playtest.studio.models import Environment, Version
    from tests import sittings

    remove_triggers(connection)
    moment, study = now(), sittings.study()
    sittings.sit_down(study)
    first = Session.objects.get()
    codes = [f"e{number:03d}" for number in range(ENVIRONMENTS)]
    environments = Environment.objects.bulk_create(
        Environment(code=code, title=f"Garden {code}", note="A note of some length. " * 40) for code in codes
    )
    versions = Version.objects.bulk_create(
        Version(
            environment=environment, digest=f"{number:064x}", game_id=f"{environment.code}-{number:08x}",
            class_name="A", source="", metadata={}, default_fps=10, levels=6, available_actions=[1],
            imported_at=moment,
        )
        for number, environment in enumerate(environments)
    )  # fmt: skip
    people = Participant.objects.bulk_create(
        Participant(label=f"P-{number:05d}", created_at=moment) for number in range(PEOPLE)
    )
    sessions = Session.objects.bulk_create(
        Session(
            study=study, participant=person, protocol=first.protocol, code_hash=f"{person.pk}",
            created_at=moment, checked_in_at=moment, ended_at=moment, end_reason=SessionEnd.TIME_OVER,
        )
        for person in people
    )  # fmt: skip
    Attempt.objects.bulk_create(
        (
            Attempt(
                session=session, participant_id=session.participant_id, environment=versions[at].environment,
                version=versions[at], number=number, seed=1, assigned_at=moment, ended_at=moment,
                outcome="gave_up", actions=40,
            )
            for offset, session in enumerate(sessions)
            for number in range(1, ATTEMPTS_EACH + 1)
            for at in [(offset + 37 * number) % ENVIRONMENTS]
        ),
        batch_size=2_000,
    )  # fmt: skip


if __name__ == "__main__":
    django.setup()
    measure()
