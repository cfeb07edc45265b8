"""Staff roles and what each may do: the one place where rights are declared.

Pages, sockets and their messages declare which right they need, or for whom else they are (`people.access`).
"""

from django.db.models import TextChoices


class Role(TextChoices):
    LEAD = "lead", "Lead"
    PROCTOR = "proctor", "Proctor"
    RESEARCHER = "researcher", "Researcher"
    DESIGNER = "designer", "Designer"
    ENGINEER = "engineer", "Engineer"


class Right(TextChoices):
    RUN_SESSIONS = "run_sessions", "create sessions, hand out codes, see who sits where"
    MANAGE_STUDIES = "manage_studies", "create and change studies"
    WATCH_ATTEMPTS = "watch_attempts", "list attempts and watch replays of people"
    WATCH_REPLAYS = "watch_replays", "open a replay: of a person or of an agent, as further rights allow"
    REVIEW_EFFORT = "review_effort", "see effort flags and decide which sessions count"
    TAKE_DATA = "take_data", "export study data"
    TAKE_IDENTIFIED = "take_identified", "export study data that names who is who"
    WITHDRAW = "withdraw", "delete a person's data when they withdraw consent, set how long data is kept"
    READ_SURVEYS = "read_surveys", "see results by people's answers to the survey"
    PLAY_INTERNALLY = "play_internally", "play environments without a session, which never counts"
    READ_BASELINES = "read_baselines", "read environments and their baselines"
    RELEASE_BASELINES = "release_baselines", "release baselines for good"
    MANAGE_ENVIRONMENTS = "manage_environments", "describe environments and move them between stages"
    REVIEW_CARDS = "review_cards", "comment on specification cards and sign them"
    WAIVE_NEEDS = "waive_needs", "let an environment pass a gate without one of its needs, for a reason"
    IMPORT_ENVIRONMENTS = (
        "import_environments",
        "import environments, whose code runs on this machine, and approve uploaded ones",
    )
    UPLOAD_VERSIONS = "upload_versions", "upload versions of environments, which wait for approval"
    RUN_QUALIFICATION = "run_qualification", "qualify environments, explore their levels, play them at random"
    ENTER_PAY = "enter_pay", "see pay, enter adjustments of pay, print receipts"
    APPROVE_PAY = "approve_pay", "approve adjustments of pay that somebody else entered, and set budgets"
    READ_BOARDS = "read_boards", "read scorecards and boards of agents"
    MANAGE_KEYS = "manage_keys", "create, limit and revoke the API keys of agents"
    EXPORT_PAY = "export_pay", "make batches of pay and take them as files for the payer"
    MANAGE_ACCOUNTS = (
        "manage_accounts",
        "make, change and disable accounts of staff, see what was changed",
    )
    OPERATE = "operate", "see what runs, what waits, the last backup and audit"


class Audience(TextChoices):
    """For whom a page or socket is that needs no right of a role."""

    ANYONE = "anyone", "anyone"
    SIGNED_IN = "signed_in", "every member of staff"
    SEAT = "seat", "a participant, for their own session"
    STATION = "station", "a registered station"
    KEY = "key", "an agent or its owner with an API key, or a link that they made"
    TOKEN = "token", "a script with a read token, for its study"


type Access = Right | Audience

_EVERY_RIGHT = frozenset(Right)
SENSITIVE = frozenset({Right.MANAGE_ACCOUNTS, Right.APPROVE_PAY, Right.EXPORT_PAY})
"""Whose account has one of these signs in with a second factor (`people.second_factor`)."""
_PAY = frozenset({Right.ENTER_PAY, Right.APPROVE_PAY, Right.EXPORT_PAY})
_STUDIO = frozenset(
    {
        Right.MANAGE_ENVIRONMENTS,
        Right.WAIVE_NEEDS,
        Right.IMPORT_ENVIRONMENTS,
        Right.UPLOAD_VERSIONS,
        Right.RUN_QUALIFICATION,
    }
)

RIGHTS: dict[Role, frozenset[Right]] = {
    Role.LEAD: _EVERY_RIGHT,
    Role.PROCTOR: frozenset({Right.RUN_SESSIONS, Right.ENTER_PAY}),
    Role.RESEARCHER: (
        _EVERY_RIGHT
        - _STUDIO
        - _PAY
        - {Right.RUN_SESSIONS, Right.MANAGE_KEYS, Right.TAKE_IDENTIFIED, Right.WITHDRAW}
        - {Right.MANAGE_ACCOUNTS, Right.OPERATE}
    ),
    Role.DESIGNER: frozenset(
        {
            Right.WATCH_ATTEMPTS,
            Right.WATCH_REPLAYS,
            Right.PLAY_INTERNALLY,
            Right.READ_BASELINES,
            Right.READ_BOARDS,
            Right.MANAGE_ENVIRONMENTS,
            Right.REVIEW_CARDS,
            Right.UPLOAD_VERSIONS,
            Right.RUN_QUALIFICATION,
        }
    ),
    Role.ENGINEER: frozenset(
        {
            Right.WATCH_REPLAYS,
            Right.PLAY_INTERNALLY,
            Right.READ_BASELINES,
            Right.REVIEW_CARDS,
            Right.RUN_QUALIFICATION,
            Right.READ_BOARDS,
            Right.MANAGE_KEYS,
        }
    ),
}


def may(role: str, right: Right) -> bool:
    """Whether a role has a right; an unknown role has none."""
    return role in RIGHTS and right in RIGHTS[Role(role)]
