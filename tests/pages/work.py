"""What designers and engineers have: cards, uploads, jobs of each kind, recordings, keys, runs of agents."""

import json

from engine.prove.exploration.graph import Limits
from playtest.arena.models import Scorecard
from playtest.arena.runs.exports import request_runs
from playtest.arena.runs.keys import create_key
from playtest.arena.scores.boards import adopt_harness, enter
from playtest.arena.scores.submissions import import_submission
from playtest.jobs.models import JobStatus
from playtest.people.models import Staff
from playtest.play.clock import now
from playtest.review.models import ExportKind
from playtest.studio.models import (
    Environment,
    Exploration,
    Import,
    Qualification,
    RandomPlay,
    Recording,
    ReleaseSet,
    StageMove,
    UploadedVersion,
    Version,
)
from playtest.studio.services import explorations, qualifications
from playtest.studio.services.cards import create_card_of
from playtest.studio.services.redundancy import mark_redundant
from tests import make
from tests.arena.runs.played import on_a_card, write_run
from tests.arena.scores import agents
from tests.live.games import WALK
from tests.make_tasks import play_task, small_task, submitted
from tests.studio.test_studio_in_the_browser import GRAPH, REPORT

CODE = "https://example.org/agents/search"
TASK = "pages1"
FINDING = {
    "check": "fuzz", "code": "bad_frame", "passed": False, "note": False, "message": "It drew no frame.",
    "mend": "Draw one.", "level": 2, "count": 1,
}  # fmt: skip
ACTIONS = [[act, None, None] for act in WALK]
RESULTS = [
    {"id": "wk01", "status": "imported", "reason": ""},
    {"id": "xx01", "status": "rejected", "reason": "metadata_missing: add metadata.json beside xx01.py."},
]


def studio(designer: Staff, lead: Staff) -> None:
    """Everything of the studio about wk01, and its redundancy with ck01."""
    walk, lamps = (Environment.objects.get(code=code) for code in ("wk01", "ck01"))
    version = walk.current
    assert version is not None
    walk.note, walk.owner, walk.title = "Walk to the goal.", designer, "Walk"
    walk.release_set = ReleaseSet.PUBLIC
    walk.save()
    create_card_of(walk, lead)
    StageMove.objects.create(
        environment=walk, before="internal", after="specification", reason="Too early.", moved_at=now()
    )
    won = Recording.objects.create(version=version, kind="win", name="win", actions=ACTIONS, made_at=now())
    mark_redundant(walk, lamps, "Both are walks over a field of dots.", designer)
    jobs(version, won)
    uploads(walk, designer, lead)


def jobs(version: Version, won: Recording) -> None:
    """Qualifications, explorations and random play, done and waiting."""
    asked = {"version": version, "seed": 1, "requested_at": now()}
    done = {"status": JobStatus.DONE, **asked}
    Qualification.objects.create(
        **done, passed=False, steps=1000, report={"checks": [FINDING | {"recording": won.pk}]}
    )
    qualifications.create(version, seed=2, steps=100)
    Exploration.objects.create(**done, level=2, report=REPORT, graph=GRAPH, limits={"nodes": 10})
    first = explorations.create(version, 1, seed=0, limits=Limits(nodes=200, seconds=60), budget=15)
    explorations.do_exploration(first.pk)
    tries = {"tries": 1_000, "wins": [[3, 4]], "lost": 9, "stuck": 0, "actions": 9_000, "faults": {}}
    RandomPlay.objects.create(**done, level=2, number=0, budget=5, total=1_000, report=tries)


def uploads(walk: Environment, designer: Staff, lead: Staff) -> None:
    """An import with a rejected environment, a version that waits for approval, and a newer draft."""
    asked = {"names": ["candidates.zip"], "requested_at": now(), "total": 2, "results": RESULTS}
    done = {"status": JobStatus.DONE, "done": 2, "finished_at": now(), **asked}
    Import.objects.create(**done, requested_by=lead)
    job = Import.objects.create(**done, requested_by=designer, into_sandbox=True, comment="A darker goal")
    assert walk.current_id is not None
    waiting = Version.objects.get(pk=walk.current_id)
    waiting.pk, waiting.digest, waiting.imported_at = None, "f" * 64, now()
    waiting.source += "\n# darker\n"
    waiting.save()
    UploadedVersion.objects.create(
        version=waiting, job=job, comment="A darker goal", uploaded_by=designer, uploaded_at=now()
    )
    waiting.pk, waiting.digest, waiting.is_draft = None, "d" * 64, True
    waiting.source += "\n# darker still\n"
    waiting.save()


def arena(lead: Staff) -> None:
    """A key of a real secret, two scorecards on the boards, runs with reasoning, and an export."""
    create_key("Reference agents", [ReleaseSet.PUBLIC], 600, lead)
    adopt_harness("Reference", "1.0", "https://example.org/harness", lead)
    cards = [scorecard("random", [4, 3] * 9), scorecard("search", WALK[:9])]
    for card in cards:
        enter(card, "community", lead, agent=card.key.name, description="It tries.", code_url=CODE)
    request_runs(cards[0], ExportKind.RUNS_CSV, lead, lambda export: None)


def tasks(lead: Staff) -> None:
    """A static task in a set that people agree on a wrong output of, and a program's answers to it."""
    task = small_task(TASK, [[3, 4]])
    study = make.study(pool=[task], name="Static tasks")
    wrong, right = submitted([[4, 3]]), submitted([[3, 4]])
    for edits in (right, [*wrong, *right], [*wrong, *submitted([[5]])], wrong):
        play_task(make.session(study), edits, seconds_after=9)
    task.release_set = ReleaseSet.PUBLIC
    task.save()
    answers = {TASK: [{"attempt_1": [[3, 4]], "attempt_2": [[0]]}]}
    import_submission(json.dumps(answers).encode(), program="Search", cost=1.5, by=lead)


def scorecard(name: str, acts: list[int]) -> Scorecard:
    """A closed scorecard with one run and the reasoning of its first action."""
    card = agents.card(name, competition=True, opaque={"seed": 1}, tags=["a tag"])
    reasoning = json.dumps({"output": "Go right.", "cost": {"total_cost": 0.25}})
    on_a_card(write_run(agents.version(), acts, notes={1: reasoning}), card)
    return agents.closed(card)
