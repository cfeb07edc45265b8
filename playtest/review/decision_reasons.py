"""The reasons a reviewer can give for a decision, in the words the pages show."""

from playtest.review.models import DecisionKind

OTHER = "other"

_EXCLUDING = {
    "did_not_try": "did not try",
    "cycled": "went through environments without playing them",
    "random_input": "pressed keys at random",
    "idle": "was idle or did something else",
    "told_the_answer": "knew the environment or was helped",
    "disturbed": "was disturbed or unwell",
    "technical": "technical trouble, not the participant's doing",
    OTHER: "another reason, in words below",
}
_KEEPING = {
    "tried": "tried: what was flagged is part of how they played",
    "explained": "the flags have another explanation",
    OTHER: "another reason, in words below",
}
_REVERSING = {
    "mistake": "the decision was a mistake",
    "disagree": "a second look came to another view",
    "new_evidence": "something new is known",
    OTHER: "another reason, in words below",
}

REASONS: dict[str, dict[str, str]] = {
    DecisionKind.KEEP: _KEEPING,
    DecisionKind.EXCLUDE_ATTEMPT: _EXCLUDING,
    DecisionKind.EXCLUDE_FROM: _EXCLUDING,
    DecisionKind.EXCLUDE_SESSION: _EXCLUDING,
    DecisionKind.REVERSE: _REVERSING,
}
"""For each kind of decision, its reason codes with their words."""

LABELS = {**_REVERSING, **_KEEPING, **_EXCLUDING}
"""Every reason code with its words."""
