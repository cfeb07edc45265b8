"""Whether every turn that a client was given is in the journal, once, as it was sent and answered.

A client writes one JSON object a line: `session` (its number), `sent` and `received`, the two binary messages
of docs/wire.md in hexadecimal: an `action`, and the `turn` that answered it.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import batched

from django.db.models import Q

from engine.errors import PayloadError
from engine.play.frames import inflated
from playtest.operation.audit.findings import Finding
from playtest.play.errors import Refusal
from playtest.play.journal.entries import recorded_turn
from playtest.play.models import Attempt, Entry
from playtest.play.page.wire import TURN_SIZE, ActionMessage, parse_action, turn_message

_AT_ONCE = 200
_DEFLATED = 1 << 3


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """One line of the file: what was sent, and the answer as bytes."""

    line: int
    session: int
    sent: ActionMessage
    received: bytes


def of_acknowledged(lines: Iterable[str]) -> Iterator[Finding]:
    """What of these turns is not in the journal, or is otherwise there than it was sent or answered."""
    given: list[Acknowledged] = []
    for number, line in enumerate(lines, start=1):
        try:
            found = json.loads(line)
            sent = parse_action(bytes.fromhex(found["sent"]))
            given.append(Acknowledged(number, int(found["session"]), sent, bytes.fromhex(found["received"])))
        except (ValueError, TypeError, KeyError, Refusal) as error:
            yield Finding("acknowledged_unreadable", f"Line {number} cannot be read: {error!r}.")
    attempts = _attempts({one.session for one in given})
    for some in batched(given, _AT_ONCE):
        yield from _compare(some, attempts)


def _attempts(sessions: set[int]) -> dict[tuple[int, int], Attempt]:
    """Attempts by session and number."""
    rows = Attempt.objects.filter(session__in=sessions).select_related("version")
    lean = rows.defer("version__source", "version__metadata")
    return {(attempt.session_pk, attempt.number): attempt for attempt in lean}


def _compare(some: Iterable[Acknowledged], attempts: Mapping[tuple[int, int], Attempt]) -> Iterator[Finding]:
    wanted = {}
    for one in some:
        attempt = attempts.get((one.session, one.sent.attempt))
        if attempt is None:
            message = (
                f"Line {one.line}: session {one.session} has no attempt number {one.sent.attempt}, "
                f"of which sequence {one.sent.sequence} was acknowledged."
            )
            yield Finding("acknowledged_missing", message, None, one.sent.sequence)
        else:
            wanted[one] = attempt
    places = Q()
    for one, attempt in wanted.items():
        places |= Q(attempt=attempt, seq=one.sent.sequence)
    rows: dict[tuple[int, int], list[Entry]] = {}
    for entry in Entry.objects.filter(places) if wanted else ():
        rows.setdefault((entry.attempt_id, entry.seq), []).append(entry)
    for one, attempt in wanted.items():
        yield from _against(one, attempt, rows.get((attempt.pk, one.sent.sequence), []))


def _against(one: Acknowledged, attempt: Attempt, entries: list[Entry]) -> Iterator[Finding]:
    seq = one.sent.sequence

    def finding(code: str, what: str) -> Finding:
        return Finding(code, f"Attempt {attempt.pk}, entry {seq} (line {one.line}): {what}", attempt.pk, seq)

    if len(entries) != 1:
        code = "acknowledged_twice" if entries else "acknowledged_missing"
        yield finding(code, f"it was acknowledged, and is in the journal {len(entries)} times.")
        return
    [entry] = entries
    if names := _sent_differs(one.sent, entry):
        yield finding("sent_differs", f"the journal has another {', '.join(names)} than was sent.")
    message = turn_message(attempt.number, recorded_turn(entry, attempt.version.levels))
    if _plain(one.received) != _plain(message):
        yield finding("answer_differs", "the journal has another turn than the client was given.")


def _sent_differs(sent: ActionMessage, entry: Entry) -> list[str]:
    """The facts of a sent action that its entry does not have."""
    action, provenance = sent.action, sent.provenance
    pairs = {
        "action": (action.id, entry.action),
        "x": (action.x, entry.x),
        "y": (action.y, entry.y),
        "input": (provenance.input_kind, entry.input_kind),
        "client_time": (provenance.client_time, entry.client_time),
        "previous_paint_ms": (provenance.previous_paint_ms, entry.previous_paint_ms),
        "screen_age_ms": (provenance.screen_age_ms, entry.screen_age_ms),
        "queued_ms": (provenance.queued_ms, entry.queued_ms),
    }
    return [name for name, (one, other) in pairs.items() if one != other]


def _plain(message: bytes) -> bytes | None:
    """A `turn` message with its frames inflated; None if they cannot be."""
    head, frames = bytearray(message[:TURN_SIZE]), message[TURN_SIZE:]
    try:
        frames = inflated(frames) if head[1] & _DEFLATED else frames
    except (PayloadError, IndexError):
        return None
    head[1] &= ~_DEFLATED & 0xFF
    return bytes(head) + frames
