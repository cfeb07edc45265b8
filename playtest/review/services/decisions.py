"""Reviewers' decisions. Rows are only ever added.

The session's row is locked, so that of two simultaneous decisions the second is refused.
"""

from django.db import transaction

from playtest.people.models import Staff
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Attempt, Entry, Session
from playtest.play.queries import last_seq
from playtest.review.decision_reasons import OTHER, REASONS
from playtest.review.models import Decision, DecisionKind, Strength
from playtest.review.queries import decisions as queries
from playtest.review.queries.effort import flags, newest_flag
from playtest.rules.effort import RULE_VERSION, opens_review

LEAST_CHARACTERS, MOST_CHARACTERS = 10, 2_000
"""Of the reviewer's text: at least for an exclusion, at most for any decision."""


def decide(
    session: Session,
    reviewer: Staff,
    kind: DecisionKind,
    reason: str,
    explanation: str = "",
    *,
    attempt_id: int | None = None,
    from_seq: int | None = None,
    seen: int | None = None,
) -> Decision:
    """Stores a reviewer's verdict, the first or the second.

    An exclusion needs an explanation. It waits for a second reviewer where the flags alone open no review,
    where a flag is strong, and where it takes a completed level out of a baseline (`_needs_second`).
    A verdict by another reviewer answers it: the same exclusion confirms it, another verdict about the same
    part ends it. A decision to keep everything can be followed by others once there are newer flags.

    `attempt_id` for what concerns one attempt; `from_seq`, for "from a moment", is the first action left out.
    `seen` is the newest decision on the reviewer's page, 0 for none; None where no page was involved.

    Refusal: reason_unknown, explanation_missing, explanation_too_long, attempt_missing, attempt_elsewhere,
    moment_missing, moment_out_of_range, decided_meanwhile, kept_already, excluded_already.
    """
    _check_reason(kind, reason, explanation)
    with transaction.atomic():
        session = _lock(session.pk)
        _check_seen(session, seen)
        attempt = _attempt(session, kind, attempt_id)
        made = Decision(
            session=session,
            attempt=attempt,
            kind=kind,
            from_seq=_moment(attempt, kind, from_seq),
            reason=reason,
            explanation=explanation.strip(),
            rule_version=RULE_VERSION,
            reviewer=reviewer,
            decided_at=now(),
        )
        asking = [other for other in _asking(session, reviewer) if _is_about(made, other)]
        made.answers = next((other for other in asking if _is_same(made, other)), None)
        if made.answers is not None:
            made.confirms = made.answers
        else:
            _check_against_standing(session, made, asking)
            made.answers = asking[0] if asking else None
            made.needs_confirmation = kind in queries.EXCLUDING and _needs_second(made)
        made.save()
        for other in asking[1:] if kind == DecisionKind.KEEP else ():
            made.pk, made._state.adding, made.answers = None, True, other
            made.save()
    return made


def _asking(session: Session, reviewer: Staff) -> list[Decision]:
    """Other reviewers' exclusions that wait for a second verdict."""
    return list(queries.waiting().filter(session=session).exclude(reviewer=reviewer).order_by("pk"))


def _is_about(made: Decision, other: Decision) -> bool:
    """Whether two verdicts overlap: keeping concerns everything, a session all its attempts."""
    whole = None in (made.attempt_id, other.attempt_id)
    return made.kind == DecisionKind.KEEP or whole or made.attempt_id == other.attempt_id


def _is_same(made: Decision, other: Decision) -> bool:
    """Whether two verdicts agree; they may name different actions, then both exclude the later part."""
    return (made.kind, made.attempt_id) == (other.kind, other.attempt_id)


def reverse(decision_id: int, reviewer: Staff, reason: str, explanation: str = "") -> Decision:
    """Reverses a decision and its confirmation. The same can be decided again.

    Refusal: reason_unknown, explanation_missing, explanation_too_long, not_reversible, verdict_first,
    reversed_already.
    """
    _check_reason(DecisionKind.REVERSE, reason, explanation)
    with transaction.atomic():
        earlier = _locked(decision_id)
        if earlier.kind == DecisionKind.REVERSE or earlier.confirms_id:
            raise Refusal(
                "not_reversible",
                "Reverse the first reviewer's decision itself; to undo a reversal, decide again.",
            )
        _check_not_reversed(earlier)
        if earlier.reviewer_id != reviewer.pk and queries.waiting().filter(pk=earlier.pk).exists():
            message = "This waits for a second verdict: give your own, without having seen the first one."
            raise Refusal("verdict_first", message)
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


def _lock(session_id: int) -> Session:
    """Locks the session against other decisions; its events are still written."""
    return Session.objects.select_for_update(no_key=True).get(pk=session_id)


def _locked(decision_id: int) -> Decision:
    decision = Decision.objects.get(pk=decision_id)
    _lock(decision.session_id)
    return decision


def _check_seen(session: Session, seen: int | None) -> None:
    if seen is not None and queries.newest_decision(session) != seen:
        message = "Another reviewer decided about this session meanwhile. Read that decision, then decide."
        raise Refusal("decided_meanwhile", message)


def _check_reason(kind: DecisionKind, reason: str, explanation: str) -> None:
    if reason not in REASONS[kind]:
        raise Refusal("reason_unknown", "Choose one of the reasons for this decision.", status=400)
    if reason == OTHER and not explanation.strip():
        raise Refusal("explanation_missing", "Explain the reason.", status=400)
    if kind in queries.EXCLUDING and len(explanation.strip()) < LEAST_CHARACTERS:
        message = f"Explain an exclusion with at least {LEAST_CHARACTERS} characters: write what you saw."
        raise Refusal("explanation_missing", message, status=400)
    _check_explanation(explanation)


def _check_explanation(explanation: str) -> None:
    if len(explanation) > MOST_CHARACTERS:
        message = f"At most {MOST_CHARACTERS} characters: shorten the explanation."
        raise Refusal("explanation_too_long", message, status=400)


def _attempt(session: Session, kind: DecisionKind, attempt_id: int | None) -> Attempt | None:
    if kind not in (DecisionKind.EXCLUDE_ATTEMPT, DecisionKind.EXCLUDE_FROM):
        return None
    if attempt_id is None:
        raise Refusal("attempt_missing", "Choose the environment to exclude.", status=400)
    attempt = session.attempts.filter(pk=attempt_id).first()
    if attempt is None:
        raise Refusal("attempt_elsewhere", "This attempt belongs to another session.", status=400)
    return attempt


def _moment(attempt: Attempt | None, kind: DecisionKind, from_seq: int | None) -> int | None:
    if attempt is None or kind != DecisionKind.EXCLUDE_FROM:
        return None
    if from_seq is None:
        raise Refusal("moment_missing", "Give the number of the first action to leave out.", status=400)
    last = last_seq(attempt.pk)
    if not 1 <= from_seq <= last:
        message = f"This attempt has actions 1 to {last}: give the first one to leave out."
        if last < 1:
            message = "This attempt has no actions: exclude it as a whole."
        raise Refusal("moment_out_of_range", message, status=400)
    return from_seq


def _check_against_standing(session: Session, made: Decision, asking: list[Decision]) -> None:
    """Refuses a verdict that contradicts a standing decision, apart from those it answers (`asking`)."""
    standing = list(queries.standing().filter(session=session).exclude(pk__in=[one.pk for one in asking]))
    newest = newest_flag(session.pk)
    keeping = [decision for decision in standing if decision.kind == DecisionKind.KEEP]
    if any(newest is None or keep.decided_at > newest for keep in keeping):
        raise Refusal("kept_already", "It was decided to keep this session. Reverse that decision first.")
    if made.kind == DecisionKind.KEEP and any(decision.kind != DecisionKind.KEEP for decision in standing):
        raise Refusal("excluded_already", "A part of this session is excluded. Reverse that decision first.")
    subjects = {decision.attempt_id for decision in standing if decision.kind in queries.EXCLUDING}
    if made.kind in queries.EXCLUDING and (None in subjects or made.attempt_id in subjects):
        raise Refusal("excluded_already", "This is excluded already. Reverse that decision to change it.")


def _check_not_reversed(decision: Decision) -> None:
    if Decision.objects.filter(reverses=decision).exists():
        raise Refusal("reversed_already", "Someone has reversed this decision meanwhile.")


def _needs_second(made: Decision) -> bool:
    """Whether an exclusion needs a second reviewer."""
    found = list(flags().filter(session=made.session_id).values_list("rule", "strength"))
    strong = any(strength == Strength.STRONG for _, strength in found)
    return strong or not opens_review(found) or _takes_out_of_a_baseline(made)


def _takes_out_of_a_baseline(made: Decision) -> bool:
    """Whether the excluded part completed a level, and so is part of a baseline."""
    completed = Entry.objects.filter(attempt__session=made.session_id, level_completed=True)
    if made.attempt_id is not None:
        completed = completed.filter(attempt=made.attempt_id, seq__gte=made.from_seq or 0)
    return completed.exists()
