"""A study of static tasks in which people do everything that the paper's numbers tell apart."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from playtest.people.roles import Role
from playtest.play.models import Attempt, Entry, Event, EventKind, Session, Study
from playtest.play.sessions.attempts import end_attempt
from playtest.review.models import DecisionKind
from playtest.rules.attempt import Outcome
from playtest.rules.survey import Kind, Question
from playtest.studio.models import Environment
from playtest.studio.services.redundancy import answer, mark_redundant
from tests import make
from tests.make_tasks import SUBMIT, Timed, play_task, small_task, submitted
from tests.review.cases import settled, someone_else
from tests.staff import staff

GRIDS: Mapping[str, Sequence[Sequence[Sequence[int]]]] = {
    "paper-1": [[[1, 2], [3, 4]]],
    "paper-2": [[[5]], [[0, 6]]],
    "paper-3": [[[7, 7, 7]]],
    "paper-4": [[[1, 0]], [[0, 1]], [[2, 2]]],
    "paper-5": [[[8]], [[8]], [[8]], [[8]]],
}
WRONG = [[4, 3], [2, 1]]
UNDO: Mapping[str, Any] = {"op": "undo"}
QUESTIONS = (
    Question("age", "How old are you?", (("young", "Young"), ("old", "Old"), ("no", "Rather not"))),
    Question("skill", "How good are you at puzzles?", kind=Kind.SCALE, least=1, most=5, ends=("not", "very"),
             choices=()),
)  # fmt: skip

type Edits = Sequence[Timed]


def solve(code: str, seconds: float, pairs: int = 9) -> Edits:
    """Solves the first `pairs` pairs at the first try, so many seconds an edit."""
    edits = [edit for grid in GRIDS[code][:pairs] for edit in submitted(grid)]
    return [(seconds, edit) for edit in edits]


def after_wrong(code: str, wrongs: int, seconds: float = 3) -> Edits:
    """Submits WRONG so often and then solves everything."""
    wrong = [(seconds, edit) for edit in [*submitted(WRONG), *[SUBMIT] * (wrongs - 1)]]
    return [*wrong, *solve(code, seconds)]


def only_wrong(seconds: float) -> Edits:
    """Submits WRONG and gives up."""
    return [(seconds, edit) for edit in submitted(WRONG)]


def viewed(seconds: float) -> Edits:
    """Looks for so many seconds, the last one after an edit."""
    return [(seconds - 1, UNDO)]


ONE, TWO, THREE, FOUR, FIVE = GRIDS
WENT_BACK: Edits = [*solve(FOUR, 3, 1), (70, UNDO)]
"""The first pair, and a minute with the task set aside."""
SECOND: Timed = (2, {"op": "open", "input": 2})


def edits_of_people() -> list[dict[str, Edits]]:
    """What each person does at each task; where nothing is said, they leave at once."""
    return [
        {ONE: solve(ONE, 3), TWO: solve(TWO, 4), THREE: solve(THREE, 2), FOUR: solve(FOUR, 2)},
        {ONE: solve(ONE, 3), TWO: solve(TWO, 4), THREE: solve(THREE, 2), FOUR: solve(FOUR, 9, 2)},
        {ONE: after_wrong(ONE, 1), TWO: solve(TWO, 3, 1), THREE: viewed(5.0), FOUR: viewed(5.001)},
        {ONE: after_wrong(ONE, 2), TWO: after_wrong(TWO, 3), THREE: after_wrong(THREE, 2)},
        {ONE: only_wrong(9), TWO: [(3, UNDO), SECOND, (4, UNDO)]},
        {ONE: only_wrong(4), TWO: [SECOND, (2, SUBMIT), (20, SUBMIT)]},
        {ONE: solve(ONE, 1.2), TWO: solve(TWO, 0.5), THREE: solve(THREE, 30), FIVE: solve(FIVE, 2, 1)},
        {ONE: viewed(4), TWO: viewed(5), THREE: viewed(3), FIVE: only_wrong(3)},
        {ONE: solve(ONE, 6), TWO: after_wrong(TWO, 1, 5), THREE: after_wrong(THREE, 1, 40)},
        {ONE: solve(ONE, 2), TWO: solve(TWO, 2, 1), THREE: only_wrong(70)},
        {ONE: solve(ONE, 11), TWO: viewed(90), FOUR: solve(FOUR, 3, 1), FIVE: only_wrong(8)},
        {ONE: viewed(120), TWO: solve(TWO, 2), THREE: solve(THREE, 2), FOUR: WENT_BACK},
        {ONE: solve(ONE, 5), TWO: solve(TWO, 5), THREE: solve(THREE, 5), FOUR: solve(FOUR, 5)},
        {ONE: solve(ONE, 5), TWO: solve(TWO, 5), THREE: solve(THREE, 5), FOUR: solve(FOUR, 5)},
    ]  # fmt: skip


def pool() -> list[Environment]:
    """The tasks of the study."""
    return [small_task(code, *grids) for code, grids in GRIDS.items()]


def study_of_tasks(people: int | None = None, **changes: Any) -> Study:
    """The study, played by all people or the first ones, each in a session of their own."""
    study = make.study(
        pool=pool(), name="Tasks of the paper", people=100, most_submissions=5, survey=QUESTIONS, **changes
    )
    for number, each in enumerate(edits_of_people()[:people]):
        play_all(study, number, each)
    return study


def play_all(study: Study, number: int, edits: Mapping[str, Edits]) -> Session:
    answers: dict[str, Any] = {"age": ("young", "old")[number % 2]}
    if number != 5:
        answers["skill"] = 1 + number % 5
    session = make.session(study, answers=answers)
    outcome = Outcome.SESSION_OVER if number % 4 == 3 else Outcome.GAVE_UP
    for _ in GRIDS:
        attempt = play_task(session, {code: edits.get(code, ()) for code in GRIDS}, None)
        if attempt.ended_at is None:
            if edits.get(attempt.environment.code) is WENT_BACK:
                set_aside_in(attempt)
            last = Entry.objects.filter(attempt=attempt).latest("seq").server_time
            end_attempt(attempt.pk, outcome, last + timedelta(seconds=1))
    return session


def set_aside_in(attempt: Attempt) -> None:
    """The task is set aside a second after the last edit but one, until a second before the last."""
    after, before = Entry.objects.filter(attempt=attempt).order_by("-seq")[:2]
    for kind, at in (
        (EventKind.SET_ASIDE, before.server_time + timedelta(seconds=1)),
        (EventKind.TAKEN_UP, after.server_time - timedelta(seconds=1)),
    ):
        Event.objects.create(session=attempt.session, attempt=attempt, kind=kind, server_time=at)


def excluded(study: Study) -> dict[int, int]:
    """Excludes a session, an attempt, and two attempts in part; from which entry on, by attempt."""
    reviewer = staff(Role.LEAD)
    attempts = Attempt.objects.filter(session__study=study).order_by("pk")
    sessions = list(study.sessions.order_by("pk"))

    def of(session: Session, code: str) -> Attempt:
        return attempts.get(session=session, environment__code=code)

    settled(sessions[9], reviewer, DecisionKind.EXCLUDE_SESSION, "did_not_try")
    cut = dict.fromkeys(attempts.filter(session=sessions[9]).values_list("pk", flat=True), 0)
    whole = of(sessions[12], ONE)
    settled(whole.session, reviewer, DecisionKind.EXCLUDE_ATTEMPT, "idle", attempt_id=whole.pk)
    cut[whole.pk] = 0
    for session, code, seq in ((sessions[8], TWO, 12), (sessions[13], FOUR, 6)):
        part = of(session, code)
        settled(session, reviewer, DecisionKind.EXCLUDE_FROM, "disturbed", attempt_id=part.pk, from_seq=seq)
        cut[part.pk] = seq
    return cut


def reviewed(study: Study) -> None:
    """A turned copy of a task joins the pool, and people mark tasks as redundant."""
    copied = small_task("paper-6", [[3, 1], [4, 2]])
    study.pool.add(copied)
    first, second, third, *_ = study.pool.order_by("code")
    lead = staff(Role.LEAD)
    mark_redundant(first, copied, "One program solves both.", lead)
    answer(mark_redundant(first, second, "Alike.", lead), "They are not.", someone_else(lead), agrees=False)
    answer(mark_redundant(second, third, "Alike.", lead), "They are.", someone_else(lead), agrees=True)
    outside = small_task("outside-1", [[1]])
    mark_redundant(outside, first, "Not of this study.", lead)
