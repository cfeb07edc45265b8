"""Sessions of participants, their attempts at environments, and what they said of them."""

from datetime import timedelta
from functools import cached_property
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q

from playtest.people.models import Consent, Participant, Survey
from playtest.people.record.links import Recorded
from playtest.play.models.study import ProtocolVersion, Study
from playtest.rules.attempt import RECORDING_ENDS, Outcome, PlayedBy
from playtest.rules.debrief import MOST_LETTERS, STEPS
from playtest.rules.protocol import Protocol
from playtest.studio.models import Environment, Version


class SessionEnd(models.TextChoices):
    POOL_USED_UP = "pool_used_up", "every environment was played"
    NOTHING_LEFT = "nothing_left", "nothing was left to play"
    TIME_OVER = "time_over", "the session's time was over"
    DECLINED = "declined", "consent was declined"
    ENDED_BY_STAFF = "ended_by_staff", "staff ended it"
    NO_SHOW = "no_show", "the participant did not come"
    CANCELLED = "cancelled", "it was cancelled"
    IMPORTED = "imported", "it was held elsewhere"


NOTHING_TO_PLAY = (SessionEnd.POOL_USED_UP, SessionEnd.NOTHING_LEFT)
"""How a session ends that no further environment could follow."""


class Session(Recorded):
    """One session of one participant. Codes and seat tokens are stored as hashes only
    (`play.sessions.seats`).

    `protocol` is the version that the session follows from its first check-in on, for good. `paused_at` is
    set while staff have paused the session; it repeats what the events say, and keeps entries out.
    `language` is that of the participant's pages, one of `settings.LANGUAGES`.
    """

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="sessions")
    participant = models.ForeignKey(Participant, on_delete=models.PROTECT, related_name="sessions")
    protocol = models.ForeignKey(
        ProtocolVersion, on_delete=models.PROTECT, null=True, related_name="sessions"
    )
    code_hash = models.CharField(max_length=64, unique=True)
    code_expires_at = models.DateTimeField(null=True)
    code_used_at = models.DateTimeField(null=True)
    seat_hash = models.CharField(max_length=64, blank=True)
    station = models.PositiveSmallIntegerField(null=True)
    created_at = models.DateTimeField()
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    checked_in_at = models.DateTimeField(null=True)
    consent = models.OneToOneField(Consent, on_delete=models.PROTECT, null=True)
    survey = models.OneToOneField(Survey, on_delete=models.PROTECT, null=True)
    tutorial_done_at = models.DateTimeField(null=True)
    language = models.CharField(max_length=10, default="en", db_default="en")
    paused_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    end_reason = models.CharField(max_length=16, choices=SessionEnd, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True, end_reason="")
                | (Q(ended_at__isnull=False) & ~Q(end_reason="")),
                name="session_has_a_reason_exactly_when_ended",
            ),
            models.CheckConstraint(
                condition=Q(checked_in_at__isnull=True, protocol__isnull=True)
                | Q(checked_in_at__isnull=False, protocol__isnull=False),
                name="session_has_a_protocol_exactly_when_checked_in",
            ),
        ]

    @cached_property
    def prescribed(self) -> Protocol:
        """The protocol that this session follows since its check-in, read once: every action needs it."""
        if self.protocol is None:
            raise ValueError("nobody has checked in yet")
        return self.protocol.value


ABSENT_IN_RUNS: dict[str, Any] = {"null": True}
"""Given so that types do not show it: nearly all code is about people, whose attempts have both."""


class Attempt(Recorded):
    """One person on one environment, once ever, one run of an agent, or one internal play. Its journal is
    the truth.

    A run and an internal play have neither session nor participant, and no limits of time: `playtest.arena`
    knows whose a run is, and `staff` is who played internally. What is about people selects attempts by their
    session or participant, so that neither is ever among them. An internal play begins on `first_level`.

    `set_aside_at` is set while the person has set the task aside and may come back to it; it repeats what the
    events say, and keeps entries out.

    `actions`, `levels_completed`, `last_action_at`, `paused` (the time of pauses between the first frame and
    the last action) and `granted` (how much longer than the hard limit it might last) repeat what the two
    logs say, kept when the attempt ends so that lists need not ask
    them; `manage.py rebuild` recomputes them. A task is also worked on while nothing is edited: its
    `last_action_at` is when its view ended. Triggers refuse every change
    of the other columns once they are set (`play.journal.triggers`); `seal` closes the hash chain when the
    attempt ends, 32 bytes (`play.journal.entries`).
    """

    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="attempts", **ABSENT_IN_RUNS)
    participant = models.ForeignKey(
        Participant, on_delete=models.PROTECT, related_name="attempts", **ABSENT_IN_RUNS
    )
    staff = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="internal_plays"
    )
    environment = models.ForeignKey(Environment, on_delete=models.PROTECT, related_name="attempts")
    version = models.ForeignKey(Version, on_delete=models.PROTECT, related_name="attempts")
    first_level = models.PositiveSmallIntegerField(default=1, db_default=1)
    number = models.PositiveSmallIntegerField()
    seed = models.PositiveIntegerField()
    assigned_at = models.DateTimeField()
    first_frame_at = models.DateTimeField(null=True)
    set_aside_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    outcome = models.CharField(max_length=16, choices=[(o.value, o.value) for o in Outcome], blank=True)
    fault_code = models.CharField(max_length=40, blank=True)
    fault_message = models.TextField(blank=True)
    actions = models.PositiveIntegerField(default=0)
    levels_completed = models.PositiveSmallIntegerField(default=0)
    last_action_at = models.DateTimeField(null=True)
    paused = models.DurationField(default=timedelta(0))
    granted = models.DurationField(default=timedelta(0), db_default=timedelta(0))
    seal = models.BinaryField(max_length=32, null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["participant", "environment"], name="one_attempt_per_person_and_environment"
            ),
            models.UniqueConstraint(fields=["session", "number"], name="attempt_number_is_unique_in_session"),
            models.UniqueConstraint(
                fields=["session"],
                condition=Q(ended_at__isnull=True, set_aside_at__isnull=True),
                name="one_open_attempt_per_session",
            ),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True, outcome="") | (Q(ended_at__isnull=False) & ~Q(outcome="")),
                name="attempt_has_an_outcome_exactly_when_ended",
            ),
            models.UniqueConstraint(
                fields=["staff", "version"],
                condition=Q(ended_at__isnull=True),
                name="one_open_internal_play_per_staff_and_version",
            ),
            models.CheckConstraint(
                condition=Q(session__isnull=True, participant__isnull=True)
                | Q(session__isnull=False, participant__isnull=False, staff__isnull=True),
                name="attempt_is_of_a_person_an_agent_or_staff",
            ),
            models.CheckConstraint(
                condition=Q(staff__isnull=False) | Q(first_level=1),
                name="only_an_internal_play_begins_on_a_later_level",
            ),
        ]

    @property
    def session_pk(self) -> int:
        """The number of its session. Raises ValueError for a run and an internal play, which have none."""
        if self.session_id is None:
            raise ValueError("only a person's attempt has a session")
        return self.session_id

    @property
    def played_by(self) -> PlayedBy:
        """Who plays it."""
        if self.participant_id is not None:
            return PlayedBy.PERSON
        return PlayedBy.AGENT if self.staff_id is None else PlayedBy.STAFF

    @property
    def is_run(self) -> bool:
        """Whether an agent plays it, not a person."""
        return self.participant_id is None and self.staff_id is None

    @property
    def is_internal(self) -> bool:
        """Whether a member of staff plays it without a session."""
        return self.staff_id is not None

    @property
    def levels_done(self) -> int:
        """How many levels were completed in it: where it began on a later one, none before that."""
        return max(self.levels_completed - self.first_level + 1, 0)

    @property
    def seconds(self) -> float:
        """Seconds of interaction: first frame to last accepted action without pauses; 0.0 before one."""
        if self.first_frame_at is None or self.last_action_at is None:
            return 0.0
        return (self.last_action_at - self.first_frame_at - self.paused).total_seconds()

    @property
    def timed(self) -> bool:
        """Whether its times are known: a recording from outside may have none."""
        outside = getattr(self, "outside", None)
        return outside is None or bool(outside.timed)

    @property
    def shown_outcome(self) -> str:
        """Its outcome; `RECORDING_ENDS` where a recording from outside just ends, and nobody knows why."""
        outside = getattr(self, "outside", None)
        lost = self.outcome == Outcome.GAVE_UP and outside is not None and not outside.is_of_package
        return RECORDING_ENDS if lost else self.outcome


class Debrief(Recorded):
    """The answers to the two questions about an attempt (`rules.debrief`); no row where both were skipped.

    They are of the person who played: staff read them, and no other participant does. The person may correct
    them until the page has moved on (`play.sessions.debriefs`).
    """

    attempt = models.OneToOneField(Attempt, on_delete=models.PROTECT, related_name="debrief")
    difficulty = models.PositiveSmallIntegerField(null=True)
    about = models.CharField(max_length=MOST_LETTERS, blank=True)
    answered_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(difficulty__in=tuple(STEPS)), name="debrief_has_five_steps"),
            models.CheckConstraint(
                condition=Q(difficulty__isnull=False) | ~Q(about=""), name="debrief_says_something"
            ),
        ]

    @property
    def step(self) -> str:
        """The chosen answer in words; "" where it was skipped."""
        return STEPS.get(self.difficulty or 0, "")
