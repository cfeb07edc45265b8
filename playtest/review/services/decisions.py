"""What reviewers decide. Rows are only ever added; the session's row is locked meanwhile, so that of two
reviewers who decide at once the second meets what the first decided."""

from django.db import transaction

from playtest.people.models import Staff
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Attempt, Session
from playtest.play.queries import last_seq
from playtest.review.models import Decision, DecisionKind, Strength
from playtest.review.queries import decisions as queries
from playtest.review.queries.effort import flags, newest_flag
from playtest.review.reasons import OTHER, REASONS
from playtest.rules.effort import RULE_VERSION

MOST_CHARACTERS = 2_000


def decide(
    session: Session,
    reviewer: Staff,
    kind: DecisionKind,
    reason: str,
    words: str = "",
    *,
    attempt_id: int | None = None,
    from_seq: int | None = None,
    seen: int | None = None,
) -> Decision:
    """A reviewer's decision; an exclusion in a session with a strong flag waits for a second reviewer.

    A decision to keep everything yields to later ones once there are newer flags.
    `attempt_id` for what concerns one attempt; `from_seq`, for "from a moment", is the first action left out.
    `seen` is the newest decision the reviewer knew of, 0 for none; left out where nobody looked at a page.

    Refusal: reason_unknown, words_missing, words_too_long, attempt_missing, attempt_elsewhere,
    moment_missing, moment_out_of_range, decided_meanwhile, kept_already, excluded_already.
    """
    _check_reason(kind, reason, words)
    with transaction.atomic():
        session = _lock(session.pk)
        _check_seen(session, seen)
        attempt = _attempt(session, kind, attempt_id)
        seq = _moment(attempt, kind, from_seq)
        _check_against_standing(session, kind, attempt)
        return Decision.objects.create(
            session=session,
            attempt=attempt,
            kind=kind,
            from_seq=seq,
            reason=reason,
            words=words.strip(),
            rule_version=RULE_VERSION,
            needs_confirmation=kind in queries.EXCLUDING and _is_strong(session),
            reviewer=reviewer,
            decided_at=now(),
        )


def confirm(decision_id: int, reviewer: Staff, words: str = "") -> Decision:
    """A second reviewer agrees, and the exclusion holds.

    Refusal: words_too_long, same_reviewer, reversed_already, confirmed_already, confirmation_not_needed.
    """
    _check_words(words)
    with transaction.atomic():
        first = _locked(decision_id)
        if not first.needs_confirmation or first.confirms_id:
            raise Refusal("confirmation_not_needed", "This decision needs no second reviewer.")
        _check_not_reversed(first)
        if Decision.objects.filter(confirms=first).exists():
            raise Refusal("confirmed_already", "Someone has confirmed this decision already.")
        if first.reviewer_id == reviewer.pk:
            raise Refusal("same_reviewer", "Somebody else has to confirm this: you made the decision.")
        return Decision.objects.create(
            session_id=first.session_id,
            attempt_id=first.attempt_id,
            kind=first.kind,
            from_seq=first.from_seq,
            reason=first.reason,
            words=words.strip(),
            rule_version=RULE_VERSION,
            confirms=first,
            reviewer=reviewer,
            decided_at=now(),
        )


def reverse(decision_id: int, reviewer: Staff, reason: str, words: str = "") -> Decision:
    """From now on the decision does not hold, nor what confirmed it. What was reversed can be decided again.

    Refusal: reason_unknown, words_missing, words_too_long, not_reversible, reversed_already.
    """
    _check_reason(DecisionKind.REVERSE, reason, words)
    with transaction.atomic():
        earlier = _locked(decision_id)
        if earlier.kind == DecisionKind.REVERSE or earlier.confirms_id:
            raise Refusal(
                "not_reversible",
                "Reverse the first reviewer's decision itself; to undo a reversal, decide again.",
            )
        _check_not_reversed(earlier)
        return Decision.objects.create(
            session_id=earlier.session_id,
            attempt_id=earlier.attempt_id,
            kind=DecisionKind.REVERSE,
            reason=reason,
            words=words.strip(),
            rule_version=RULE_VERSION,
            reverses=earlier,
            reviewer=reviewer,
            decided_at=now(),
        )


def _lock(session_id: int) -> Session:
    """Whoever decides about this session waits; its events are still written."""
    return Session.objects.select_for_update(no_key=True).get(pk=session_id)


def _locked(decision_id: int) -> Decision:
    decision = Decision.objects.get(pk=decision_id)
    _lock(decision.session_id)
    return decision


def _check_seen(session: Session, seen: int | None) -> None:
    if seen is not None and queries.newest_decision(session) != seen:
        message = "Somebody decided about this session while you looked at it. Read that first, then decide."
        raise Refusal("decided_meanwhile", message)


def _check_reason(kind: DecisionKind, reason: str, words: str) -> None:
    if reason not in REASONS[kind]:
        raise Refusal("reason_unknown", "Choose one of the reasons for this decision.", status=400)
    if reason == OTHER and not words.strip():
        raise Refusal("words_missing", "Say in words what the reason is.", status=400)
    _check_words(words)


def _check_words(words: str) -> None:
    if len(words) > MOST_CHARACTERS:
        message = f"At most {MOST_CHARACTERS} characters: shorten what you say in words."
        raise Refusal("words_too_long", message, status=400)


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


def _check_against_standing(session: Session, kind: DecisionKind, attempt: Attempt | None) -> None:
    standing = list(queries.standing().filter(session=session))
    newest = newest_flag(session.pk)
    kept = [decision for decision in standing if decision.kind == DecisionKind.KEEP]
    if any(newest is None or keep.decided_at > newest for keep in kept):
        raise Refusal("kept_already", "It was decided to keep this session. Reverse that decision first.")
    if kind == DecisionKind.KEEP and any(decision.kind != DecisionKind.KEEP for decision in standing):
        raise Refusal("excluded_already", "Something of this session is excluded. Reverse that first.")
    subjects = {decision.attempt_id for decision in standing if decision.kind in queries.EXCLUDING}
    if kind in queries.EXCLUDING and (None in subjects or (attempt.pk if attempt else None) in subjects):
        raise Refusal("excluded_already", "This is excluded already. Reverse that decision to change it.")


def _check_not_reversed(decision: Decision) -> None:
    if Decision.objects.filter(reverses=decision).exists():
        raise Refusal("reversed_already", "Someone has reversed this decision meanwhile.")


def _is_strong(session: Session) -> bool:
    return flags().filter(session=session, strength=Strength.STRONG).exists()
