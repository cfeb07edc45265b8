"""The two append-only logs, entries (turns) and events; the signed days over them, and heartbeats."""

from django.conf import settings
from django.db import models

from playtest.people.record.links import Recorded
from playtest.play.models.session import ABSENT_IN_RUNS, Attempt, Session


class InputKind(models.IntegerChoices):
    """How an action was made; codes as on the wire (docs/wire.md)."""

    UNKNOWN = 0
    KEY = 1
    KEY_REPEAT = 2
    MOUSE = 3
    TOUCH = 4
    BUTTON = 5


class Entry(models.Model):
    """One row of the journal: an action and its turn.

    `seq` 0 is the opening frame (a RESET that nobody chose); actions count from 1 without gaps. `level` is
    where the action was made, from 1; `levels_completed`, `state` and `available` (bit i = action i) hold
    after it. `frames` are those of the wire (`engine.play.frames`), deflated; `state_hash` is 8 bytes.
    `previous_paint_ms` is how long the action before this one took from key press to painted frame, as the
    client measured it. `screen_age_ms` is how long the screen on which the action was made had been visible
    (level, its state, or page: `static/play/turn-taking.js`), and `queued_ms` how long the press waited
    for the answer to the one before it; null where the client does not say. `edit` is the JSON of an edit of
    a static task (`engine.tasks.edits`), whose kind is `action` and whose test input is `level`; in
    interactive environments there is none. `chain` is the hash chain's value after this entry, 32 bytes
    (`play.journal.entries`, docs/journal.md).
    """

    attempt = models.ForeignKey(Attempt, on_delete=models.PROTECT, related_name="entries", db_index=False)
    seq = models.PositiveIntegerField()
    action = models.PositiveSmallIntegerField()
    x = models.PositiveSmallIntegerField(null=True)
    y = models.PositiveSmallIntegerField(null=True)
    level = models.PositiveSmallIntegerField()
    levels_completed = models.PositiveSmallIntegerField()
    level_completed = models.BooleanField()
    state = models.CharField(max_length=12)
    available = models.PositiveSmallIntegerField()
    changed = models.BooleanField()
    state_hash = models.BinaryField(max_length=8)
    frame_count = models.PositiveSmallIntegerField()
    frames = models.BinaryField()
    input_kind = models.PositiveSmallIntegerField(choices=InputKind, default=InputKind.UNKNOWN)
    server_time = models.DateTimeField()
    client_time = models.DateTimeField(null=True)
    previous_paint_ms = models.PositiveIntegerField(null=True)
    screen_age_ms = models.PositiveIntegerField(null=True)
    queued_ms = models.PositiveIntegerField(null=True)
    edit = models.TextField(null=True)  # noqa: DJ001 - so that the column can be added without a copy of the journal
    chain = models.BinaryField(max_length=32)

    class Meta:
        verbose_name_plural = "entries"
        constraints = [models.UniqueConstraint(fields=["attempt", "seq"], name="entry_is_unique_by_seq")]


class AgentNote(models.Model):
    """What an agent sent with an action, stored in the transaction of its entry.

    `reasoning` is the JSON text as it was sent, at most 16 KiB, empty without one. `request_key` is the
    agent's own key of the request, by which a repeated request is recognised; empty without one.
    """

    attempt = models.ForeignKey(Attempt, on_delete=models.PROTECT, related_name="notes", db_index=False)
    seq = models.PositiveIntegerField()
    reasoning = models.TextField(blank=True)
    request_key = models.CharField(max_length=64, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["attempt", "seq"], name="agent_note_is_unique_by_seq")]


class EventKind(models.TextChoices):
    CONNECTED = "connected"
    DISCONNECTED = "disconnected"
    SUPERSEDED = "superseded"
    PAGE_HIDDEN = "page_hidden"
    PAGE_SHOWN = "page_shown"
    WINDOW_BLURRED = "window_blurred"
    WINDOW_FOCUSED = "window_focused"
    PATTERNS_ON = "patterns_on"
    PATTERNS_OFF = "patterns_off"
    PAINTED = "painted"
    PROMPT_SHOWN = "prompt_shown"
    PROMPT_ANSWERED = "prompt_answered"
    REBUILT = "rebuilt"
    ENVIRONMENT_FAULT = "environment_fault"
    ATTEMPT_ENDED = "attempt_ended"
    CHECKED_IN = "checked_in"
    CONSENT_GIVEN = "consent_given"
    CONSENT_DECLINED = "consent_declined"
    TUTORIAL_DONE = "tutorial_done"
    SESSION_CREATED = "session_created"
    CODE_REISSUED = "code_reissued"
    SESSION_ENDED = "session_ended"
    FAULT_ACKNOWLEDGED = "fault_acknowledged"
    PAUSED = "paused"
    RESUMED = "resumed"
    TIME_GRANTED = "time_granted"
    TIME_TAKEN_BACK = "time_taken_back"
    TIME_ANNOUNCED = "time_announced"
    END_PLANNED = "end_planned"
    END_CALLED_OFF = "end_called_off"
    STATION_CHANGED = "station_changed"
    PROCTOR_CALLED = "proctor_called"
    CALL_ANSWERED = "call_answered"
    NOTE_ADDED = "note_added"
    ATTEMPT_VOIDED = "attempt_voided"
    VOID_REVERSED = "void_reversed"
    SET_ASIDE = "set_aside"
    TAKEN_UP = "taken_up"
    SUBMISSION_REPEATED = "submission_repeated"


class Event(Recorded):
    """What is not an action: connections, the page's visibility, prompts, and interventions by staff.

    Events of an agent's run have no session.
    """

    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="events", **ABSENT_IN_RUNS)
    attempt = models.ForeignKey(Attempt, on_delete=models.PROTECT, null=True, related_name="events")
    kind = models.CharField(max_length=24, choices=EventKind)
    server_time = models.DateTimeField()
    client_time = models.DateTimeField(null=True)
    staff = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    details = models.JSONField(default=dict)


class SignedDay(models.Model):
    """The heads of one UTC day (docs/journal.md). Triggers refuse every change.

    `document` is the very text that was signed: JSON with the day, the digest of the day before, and of every
    attempt that changed its number of entries, its last chain value and its seal. `digest` is the document's
    SHA-256 and `signature` its Ed25519 signature by `public_key` (64 and 32 bytes).
    """

    day = models.DateField(unique=True)
    document = models.TextField()
    digest = models.CharField(max_length=64)
    signature = models.BinaryField(max_length=64)
    public_key = models.BinaryField(max_length=32)
    signed_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.day.isoformat()


class Heartbeat(models.Model):
    """One row for each serving process, which its journal writer overwrites every ten seconds.

    `process` is the address at which it serves, so a process that was started again replaces its row.
    `at` is what the process's clock said; `uptime` is how many seconds the machine had run then, since the
    start that `boot` names. So another process of the same machine knows what its own clock should say.
    `signs` are when the pages of its sessions were heard last, by session (`play.journal.heartbeat`).
    """

    process = models.CharField(max_length=255, primary_key=True)
    at = models.DateTimeField()
    boot = models.CharField(max_length=36, blank=True)
    uptime = models.FloatField()
    signs = models.JSONField(default=dict)
