"""The reasons that a reviewer can choose for a decision, with their labels."""

from playtest.review.models import DecisionKind

OTHER = "other"

_EXCLUDING = {
    "did_not_try": "did not try",
    "cycled": "skipped through environments without playing",
    "random_input": "pressed keys at random",
    "idle": "was idle or did something else",
    "told_the_answer": "knew the environment or was helped",
    "disturbed": "was disturbed or unwell",
    "technical": "technical trouble, not the participant's doing",
    OTHER: "another reason, given below",
}
_KEEPING = {
    "tried": "tried: the replay shows how they played",
    "explained": "the flags have another explanation",
    OTHER: "another reason, given below",
}
_REVERSING = {
    "mistake": "the decision was a mistake",
    "disagree": "another view after a second look",
    "new_evidence": "there is new evidence",
    OTHER: "another reason, given below",
}

REASONS: dict[str, dict[str, str]] = {
    DecisionKind.KEEP: _KEEPING,
    DecisionKind.EXCLUDE_ATTEMPT: _EXCLUDING,
    DecisionKind.EXCLUDE_FROM: _EXCLUDING,
    DecisionKind.EXCLUDE_SESSION: _EXCLUDING,
    DecisionKind.REVERSE: _REVERSING,
}
"""For each kind of decision, its reason codes with their labels."""

LABELS = {**_REVERSING, **_KEEPING, **_EXCLUDING}
"""Every reason code with its label."""
