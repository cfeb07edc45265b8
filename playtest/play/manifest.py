"""What play adds to staff pages, and which of its tables are of the record."""

from playtest.people.append_only import Protected, differs, same
from playtest.people.manifests import Manifest, Part
from playtest.play.home import pools_to_mend
from playtest.play.sessions.internal_plays import open_play

OWNER_OF_ATTEMPT = "SELECT participant_id FROM play_attempt WHERE id = OLD.attempt_id"
"""The participant of the attempt that the row OLD belongs to."""

_IDENTITY = differs(
    *("id", "session_id", "participant_id", "staff_id", "environment_id", "version_id", "first_level"),
    *("number", "seed", "assigned_at"),
)
_OPEN = "ended_at IS NULL AND set_aside_at IS NULL"
_END = differs("first_frame_at", "ended_at", "outcome", "fault_code", "fault_message", "seal")

_PROTECTED = (
    Protected("play_entry", OWNER_OF_ATTEMPT, (same("attempt_id", "seq"),), linked=False),
    Protected("play_agentnote", unique=(same("attempt_id", "seq"),), linked=False),
    Protected("play_event", "SELECT participant_id FROM play_session WHERE id = OLD.session_id"),
    Protected(
        "play_attempt",
        "OLD.participant_id",
        (
            same("participant_id", "environment_id"),
            same("session_id", "number"),
            f"{same('session_id')} AND {_OPEN} AND NEW.ended_at IS NULL AND NEW.set_aside_at IS NULL",
            f"{same('staff_id', 'version_id')} AND ended_at IS NULL AND NEW.ended_at IS NULL",
        ),
        f"{_IDENTITY} OR (OLD.first_frame_at IS NOT NULL AND ({differs('first_frame_at')}))"
        f" OR (OLD.ended_at IS NOT NULL AND ({_END}))",
        "play_attempt is append-only: its identity, its first frame, its end",
        columns=(
            *("session_id", "participant_id", "staff_id", "environment_id", "version_id", "first_level"),
            *("number", "seed", "assigned_at", "first_frame_at", "ended_at", "outcome"),
            *("fault_code", "fault_message", "seal"),
        ),
    ),
    Protected(
        "play_session",
        "OLD.participant_id",
        (same("code_hash"), same("consent_id"), same("survey_id")),
        f"{differs('id', 'study_id', 'participant_id')}"
        f" OR (OLD.protocol_id IS NOT NULL AND ({differs('protocol_id')}))",
        "play_session is append-only: its participant, its study, its version of the protocol",
        columns=(
            *("study_id", "participant_id", "protocol_id", "created_at", "created_by_id", "checked_in_at"),
            *("consent_id", "survey_id", "tutorial_done_at", "language", "ended_at", "end_reason"),
        ),
    ),
    Protected(
        "play_study",
        unique=(same("name"),),
        changed=differs("id", "created_by_id"),
    ),
    Protected("play_study_pool", unique=(same("study_id", "environment_id"),), deletable=True),
    Protected(
        "play_debrief",
        OWNER_OF_ATTEMPT,
        (same("attempt_id"),),
        differs("id", "attempt_id"),
        deletable=True,
    ),
    Protected(
        "play_protocolversion",
        None,
        (same("study_id", "number"), f"{same('study_id')} AND frozen_at IS NULL AND NEW.frozen_at IS NULL"),
        f"OLD.frozen_at IS NOT NULL OR {differs('id', 'study_id', 'number')}",
    ),
    Protected("play_outsidestudy", None, (same("study_id"),), differs("id", "study_id", "imported_at")),
    Protected(
        "play_outsideattempt",
        OWNER_OF_ATTEMPT,
        (same("attempt_id"),),
        differs("id", "attempt_id", "name", "digest", "differs_from", "unproven", "timed", "imported_at"),
    ),
    Protected(
        "play_outsidename", unique=(same("kind", "row"), same("study_id", "kind", "name")), linked=False
    ),
    Protected("play_signedday", unique=(same("day"),), linked=False),
)

MANIFEST = Manifest(
    titles={
        "play:study-new": "New study",
        "play:study-edit": "Change",
        "play:survey-edit": "Survey",
        "play:protocol-versions": "Protocol",
        "play:internal-play": "Internal play {pk}",
    },
    parts=(Part("environment-play", "play/open-play.html", open_play),),
    waiting_at_home=(("play:studies", pools_to_mend),),
    protected=_PROTECTED,
)
