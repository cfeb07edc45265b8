"""Refuses codes, seats and promises of places where a study has nothing left to play."""

from playtest.people.models import Participant
from playtest.play.errors import Refusal
from playtest.play.models import Session, Study
from playtest.play.places import places_of
from playtest.play.queries import remaining_for
from playtest.play.session_hooks import refuse_sessions
from playtest.rules.assignment import Remaining

STUDY_FULL, EVERYTHING_MET, NO_PLACES = "study_full", "everything_met", "no_places"
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


def refuse_without_places(study: Study, wanted: int = 1) -> None:
    """Check before places are promised, with the study's row locked.

    Refusal: no_places, or what another room says against it (`play.session_hooks`).
    """
    places = places_of(study)
    if places.left < wanted:
        needed = "1 is needed" if wanted == 1 else f"{wanted} are needed"
        raise Refusal(NO_PLACES, f"{places.left_in_words} {needed} here.")
    refuse_sessions(study, wanted)
