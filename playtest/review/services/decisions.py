"""Reviewers' decisions. Rows are only ever added.

The session's row is locked, so that of two simultaneous decisions the second is refused.
"""

from collections.abc import Sequence

from django.db import transaction
from django.db.models import Q

from playtest.people.models import Staff
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Attempt, Session
from playtest.play.sessions.locks import locked_session
from playtest.play.sessions.reads import last_seq
from playtest.review.models import OTHER_REASON, REASONS, Decision, DecisionKind
from playtest.review.queries import decisions as queries
from playtest.review.queries.effort import newest_flag
from playtest.review.queries.queue import needs_two, opened_by
from playtest.rules.effort.thresholds import RULE_VERSION

LEAST_CHARACTERS, MOST_CHARACTERS = 10, 2_000
"""Of the reviewer's text: at least where it is required, at most for any decision."""


type Chosen = tuple[int, int | None]
"""An attempt to leave out, and its first action left out; None for all of it."""


def decide(
    session: Session,
    reviewer: Staff,
    kind: DecisionKind,
    reason: str,
    explanation: str = "",
    *,
    attempt_id: int | None = None,
    from_seq: int | None = None,
    more: Sequence[Chosen] = (),
    seen: int | None = None,
    blind: bool | None = None,
) -> Decision:
    """Stores a reviewer's verdict about a session: the first, the second, or the one that settles.

    Where `needs_two` says so, a verdict of any kind waits for that of a second reviewer, who does not see
    it. The same verdict confirms it; of two moments of one attempt, the later holds. Where they differ,
    nothing is in force until a third reviewer, who has read both, gives the verdict that holds. A decision to
    keep everything can be followed by others once there are newer flags.

    `attempt_id` for what concerns one attempt; `from_seq`, for "from a moment", is the first action left out;
    `more` are further attempts of the same verdict. `seen` is the newest decision on the reviewer's page, 0
    for none; None where no page was involved. `blind`: whether that page had hidden flags and outcomes until
    now; None if nobody knows. Returns the head of the verdict.

    Refusal: reason_unknown, explanation_missing, explanation_too_long, attempt_missing, attempt_elsewhere,
    attempt_twice, moment_missing, moment_out_of_range, decided_meanwhile, kept_already, excluded_already,
    verdict_waits, third_reviewer_needed.
    """
    _check_reason(kind, reason, explanation)
    with transaction.atomic():
        session = locked_session(session.pk)
        _check_seen(session, reviewer, seen)
        parts = _parts(session, kind, attempt_id, from_seq, more)
        rows = [
            Decision(
                session=session,
                attempt=attempt,
                kind=part_kind,
                from_seq=first_left_out,
                reason=reason,
                explanation=explanation.strip() if place == 0 else "",
                rule_version=RULE_VERSION,
                blind=blind,
                reviewer=reviewer,
                decided_at=now(),
            )
            for place, (part_kind, attempt, first_left_out) in enumerate(parts)
        ]
        _check_not_excluded(session, rows)
        head = rows[0]
        if (dispute := queries.disputed().filter(session=session).first()) is not None:
            _settle(head, dispute)
        elif waiting := list(queries.waiting().filter(session=session).order_by("pk")):
            _answer(rows, waiting)
        else:
            _begin(session, head)
        if head.needs_confirmation or head.answers or head.settles:
            _check_words(explanation)
        for row in rows:
            row.needs_confirmation = head.needs_confirmation
            row.part_of = None if row is head else head
            row.save()
    return head


def _settle(head: Decision, dispute: Decision) -> None:
    """Makes a verdict the one that holds. Refusal: third_reviewer_needed."""
    first = dispute.answers
    if first is not None and head.reviewer_id in (dispute.reviewer_id, first.reviewer_id):
        message = "The two verdicts differ: a third reviewer settles it. Until then everything counts."
        raise Refusal("third_reviewer_needed", message)
    head.settles = dispute


def _answer(rows: list[Decision], waiting: list[Decision]) -> None:
    """Makes a verdict the second one to a first that waits. Refusal: verdict_waits."""
    head = rows[0]
    others = [each for each in waiting if each.reviewer_id != head.reviewer_id]
    if not others:
        message = "Your verdict waits for a second reviewer. Reverse it to give another one."
        raise Refusal("verdict_waits", message)
    first = next((each for each in others if _is_same(rows, _rows(each))), others[0])
    head.answers = first
    if _is_same(rows, _rows(first)):
        for row, confirmed in zip(rows, _rows(first), strict=True):
            row.confirms = confirmed
    else:
        head.needs_confirmation = True


def _begin(session: Session, head: Decision) -> None:
    """Makes a verdict the first one. Refusal: kept_already, excluded_already."""
    _check_not_kept(session, head)
    head.needs_confirmation = needs_two(session)
    head.opened_by = opened_by(session)


def _rows(head: Decision) -> list[Decision]:
    """The rows of a verdict in the order of `_parts`."""
    return [head, *head.parts.order_by("pk")]


def _is_same(one: list[Decision], other: list[Decision]) -> bool:
    """Whether two verdicts agree; they may name different actions, then both exclude the later part."""
    return [(row.kind, row.attempt_id) for row in one] == [(row.kind, row.attempt_id) for row in other]


def reverse(decision_id: int, reviewer: Staff, reason: str, explanation: str = "") -> Decision:
    """Reverses a decision with its confirmation, or one's own verdict that waits.

    What two reviewers had agreed on, or a third had settled, is reversed only with an explanation, and the
    session waits for two verdicts again (`queries.queue`). The same can be decided again.

    Refusal: reason_unknown, explanation_missing, explanation_too_long, not_reversible, verdict_first,
    reversed_already.
    """
    _check_reason(DecisionKind.REVERSE, reason, explanation)
    with transaction.atomic():
        earlier = _locked(decision_id)
        _check_reversible(earlier, reviewer)
        if queries.in_force().filter(_BY_MORE_THAN_ONE, pk=earlier.pk).exists():
            _check_words(explanation)
        return Decision.objects.create(
            session_id=earlier.session_id,
            attempt_id=earlier.attempt_id,
            kind=DecisionKind.REVERSE,
            reason=reason,
            explanation=explanation.strip(),
            rule_version=RULE_VERSION,
            reverses=earlier,
            reviewer=reviewer,
            decided_at=now(),
        )


_BY_MORE_THAN_ONE = Q(confirmed_by__isnull=False) | Q(settles__isnull=False)


def _check_reversible(earlier: Decision, reviewer: Staff) -> None:
    if Decision.objects.filter(reverses=earlier).exists():
        raise Refusal("reversed_already", "Someone has reversed this decision meanwhile.")
    if queries.reversible_by(reviewer).filter(pk=earlier.pk).exists():
        return
    if queries.waiting().filter(pk=earlier.pk).exists():
        message = "Two reviewers judge this session independently: give your own verdict."
        raise Refusal("verdict_first", message)
    raise Refusal(
        "not_reversible",
        "Only what is in force can be reversed, by its first verdict; to undo a reversal, decide again.",
    )


def _locked(decision_id: int) -> Decision:
    decision = Decision.objects.get(pk=decision_id)
    locked_session(decision.session_id)
    return decision


def _check_seen(session: Session, reviewer: Staff, seen: int | None) -> None:
    """Compares what the page showed; a verdict that this reviewer must not know of is nothing new."""
    if seen is not None and queries.newest_shown(session, reviewer) != seen:
        message = "Another reviewer decided about this session meanwhile. Read that decision, then decide."
        raise Refusal("decided_meanwhile", message)


def _check_reason(kind: DecisionKind, reason: str, explanation: str) -> None:
    if reason not in REASONS[kind]:
        raise Refusal("reason_unknown", "Choose one of the reasons for this decision.", status=400)
    if reason == OTHER_REASON and not explanation.strip():
        raise Refusal("explanation_missing", "Explain the reason.", status=400)
    if kind in queries.EXCLUDING:
        _check_words(explanation)
    if len(explanation) > MOST_CHARACTERS:
        message = f"At most {MOST_CHARACTERS} characters: shorten the explanation."
        raise Refusal("explanation_too_long", message, status=400)


def _check_words(explanation: str) -> None:
    if len(explanation.strip()) < LEAST_CHARACTERS:
        message = f"Explain it with at least {LEAST_CHARACTERS} characters: write what you saw."
        raise Refusal("explanation_missing", message, status=400)


type _Part = tuple[DecisionKind, Attempt | None, int | None]


def _parts(
    session: Session, kind: DecisionKind, attempt_id: int | None, from_seq: int | None, more: Sequence[Chosen]
) -> list[_Part]:
    """What each row of a verdict is about, in the order of the attempts in the session."""
    if kind not in (DecisionKind.EXCLUDE_ATTEMPT, DecisionKind.EXCLUDE_FROM):
        return [(kind, None, None)]
    parts = [_part(session, kind, attempt_id, from_seq)]
    for other, moment in more:
        of_kind = DecisionKind.EXCLUDE_ATTEMPT if moment is None else DecisionKind.EXCLUDE_FROM
        parts.append(_part(session, of_kind, other, moment))
    if len({attempt.pk for _, attempt, _ in parts}) < len(parts):
        raise Refusal("attempt_twice", "Choose each environment once.", status=400)
    parts.sort(key=lambda part: part[1].number)
    return [*parts]


def _part(
    session: Session, kind: DecisionKind, attempt_id: int | None, from_seq: int | None
) -> tuple[DecisionKind, Attempt, int | None]:
    if attempt_id is None:
        raise Refusal("attempt_missing", "Choose the environments to exclude.", status=400)
    attempt = session.attempts.filter(pk=attempt_id).first()
    if attempt is None:
        raise Refusal("attempt_elsewhere", "This attempt belongs to another session.", status=400)
    return kind, attempt, _moment(attempt, kind, from_seq)


def _moment(attempt: Attempt, kind: DecisionKind, from_seq: int | None) -> int | None:
    if kind != DecisionKind.EXCLUDE_FROM:
        return None
    if from_seq is None:
        raise Refusal("moment_missing", "Give the number of the first action to leave out.", status=400)
    last = last_seq(attempt.pk)
    if not 1 <= from_seq <= last:
        message = f"Environment {attempt.number} has actions 1 to {last}: give the first one to leave out."
        if last < 1:
            message = f"Environment {attempt.number} has no actions: exclude it as a whole."
        raise Refusal("moment_out_of_range", message, status=400)
    return from_seq


def _check_not_kept(session: Session, made: Decision) -> None:
    """Refuses a first verdict while one newer than every flag is in force that it contradicts."""
    newest = newest_flag(session.pk)
    current = [
        decision
        for decision in queries.in_force().filter(session=session)
        if newest is None or decision.decided_at > newest
    ]
    if any(decision.kind == DecisionKind.KEEP for decision in current):
        raise Refusal("kept_already", "It was decided to keep this session. Reverse that decision first.")
    if made.kind == DecisionKind.KEEP and current:
        raise Refusal("excluded_already", "A part of this session is excluded. Reverse that decision first.")


def _check_not_excluded(session: Session, rows: list[Decision]) -> None:
    """Refuses to exclude again what is excluded."""
    excluded = queries.in_force().filter(session=session, kind__in=queries.EXCLUDING)
    subjects = set(excluded.values_list("attempt", flat=True))
    if any(row.kind in queries.EXCLUDING and subjects & {None, row.attempt_id} for row in rows):
        raise Refusal("excluded_already", "This is excluded already. Reverse that decision to change it.")
