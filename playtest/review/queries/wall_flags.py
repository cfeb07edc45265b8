"""The effort flags of running sessions in a few words, for the wall of the room."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from playtest.review.queries.effort import counting_flags
from playtest.rules.effort import Rule

LABELS = {
    Rule.RESPONSE_TIME: "answers too fast",
    Rule.CYCLING: "leaves at once",
    Rule.LEFT_EARLY: "left early",
    Rule.TUTORIAL_ONLY: "first levels only",
    Rule.NO_OPS: "actions without effect",
    Rule.REPEATS: "one key again and again",
    Rule.FAST: "too fast",
    Rule.IDLE: "long pauses",
    Rule.RANDOM: "random actions",
    Rule.UNEDITED_TASKS: "edits nothing",
    Rule.REPEATED_SUBMISSIONS: "submits the same again",
    Rule.EMPTY_SUBMISSIONS: "submits empty grids",
    Rule.IDLE_RETURNS: "returns without edits",
}
"""What a proctor reads from afar. Rules that only make notes are not on the wall."""


def wall_flags(sessions: Collection[int], **_: object) -> Mapping[int, Sequence[str]]:
    """The flags in force that can open a review, each rule once for a session. One query for all sessions."""
    found: defaultdict[int, list[str]] = defaultdict(list)
    rows = counting_flags().filter(session__in=sessions).order_by("session", "rule")
    for session, rule in rows.values_list("session", "rule").distinct():
        found[session].append(LABELS.get(Rule(rule), rule))
    return found
