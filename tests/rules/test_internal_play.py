"""Which internal plays the gate to External counts."""

from playtest.rules.pipeline import INTERNAL_ACTIONS, InternalPlay, plays_that_count


def test_a_play_counts_with_a_completed_level_or_enough_actions() -> None:
    assert not InternalPlay(1, 1, 0, INTERNAL_ACTIONS - 1).counts
    assert InternalPlay(1, 1, 0, INTERNAL_ACTIONS).counts
    assert InternalPlay(1, 1, 1, 3).counts


def test_each_player_but_the_owner_counts_once_by_the_first_play_that_counts() -> None:
    plays = [
        InternalPlay(1, 10, 0, 2),
        InternalPlay(2, 20, 3, 40),
        InternalPlay(3, 10, 1, 5),
        InternalPlay(4, 10, 6, 90),
    ]
    assert {player: play.attempt for player, play in plays_that_count(plays, 20).items()} == {10: 3}
    assert set(plays_that_count(plays, None)) == {10, 20}
