"""Refuses a code or a seat to a person for whom the study has nothing left to play."""

from playtest.people.models import Participant
from playtest.play.errors import Refusal
from playtest.play.models import Session, Study
from playtest.play.queries import remaining_for
from playtest.rules.assignment import Remaining

STUDY_FULL, EVERYTHING_MET = "study_full", "everything_met"
_FOR_STAFF = {
    Remaining.STUDY_FULL: (
        STUDY_FULL,
        "This study is full: every environment has as many people as it needs, including those who play now."
        " Choose another study, or ask for more people per environment in this one.",
    ),
    Remaining.EVERYTHING_MET: (
        EVERYTHING_MET,
        "This person has played every environment of this study that still needs people."
        " Choose another study.",
    ),
}
_FOR_PARTICIPANT = {
    Remaining.STUDY_FULL: "There is nothing left to play here: other people took the last places. You did"
    " nothing wrong. Please tell a member of staff.",
    Remaining.EVERYTHING_MET: "There is nothing left to play here: you have played everything here before."
    " Please tell a member of staff.",
}


def refuse_code_if_nothing_left(study: Study, participant: Participant) -> None:
    """Check before a code is given out. Refusal: study_full, everything_met."""
    left = remaining_for(study, participant.pk)
    if left is not Remaining.SOMETHING:
        raise Refusal(*_FOR_STAFF[left])


def refuse_seat_if_nothing_left(session: Session) -> None:
    """Check before a first check-in. Refusal: study_full, everything_met."""
    left = remaining_for(session.study, session.participant_id)
    if left is not Remaining.SOMETHING:
        raise Refusal(_FOR_STAFF[left][0], _FOR_PARTICIPANT[left])
