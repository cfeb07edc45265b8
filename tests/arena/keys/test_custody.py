"""What may be told of cards, on which boards they may stand, and how disclosed scores are counted."""

import pytest

from playtest.arena.models import Board, Disclosure, Run, Scorecard
from playtest.arena.runs.cards import game_id_of, not_offered
from playtest.arena.runs.custody import disclose, refusal_of_entry, run_may_disclose, told_of
from playtest.play.errors import Refusal
from playtest.rules.custody import Fact
from playtest.studio.models import Environment
from tests import make
from tests.arena.scores import agents

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def card_may_disclose(card: Scorecard, fact: Fact) -> bool:
    """Of a card as a whole: only what may be told of each of its sets."""
    return told_of([card])[card.pk].may_disclose(fact)


def in_set(release_set: str, code: str = "wk01") -> Environment:
    environment = make.environment(code)
    environment.release_set = release_set
    environment.save()
    return environment


def played(*sets: str, competition: bool = True, among: tuple[str, ...] = ()) -> Scorecard:
    """An open card with a run in an environment of each of these sets."""
    card = agents.card(competition=competition, sets=list(among or sets))
    for code, release_set in zip(("wk01", "ck01"), sets, strict=False):
        in_set(release_set, code)
        agents.run(card, ["1+"], code)
    return card


def move_all_to(release_set: str) -> None:
    Environment.objects.update(release_set=release_set)


def counted() -> dict[str, int]:
    return dict(Disclosure.objects.values_list("release_set", "environments"))


def code_of(card: Scorecard, board: Board = Board.OFFICIAL) -> str:
    refusal = refusal_of_entry(board, card)
    return refusal.code if refusal else "none"


def test_a_run_that_goes_on_while_its_environment_becomes_private_discloses_no_more() -> None:
    card = played("public")
    run = card.runs.get()
    assert run_may_disclose(run, Fact.TITLE)
    move_all_to("private")
    moved = Run.objects.get()
    assert moved.release_set == "public"
    assert not run_may_disclose(moved, Fact.TITLE)
    assert not card_may_disclose(card, Fact.SCORE_BY_ENVIRONMENT)


def test_what_was_played_while_private_stays_private_after_publication() -> None:
    card = played("private", competition=False)
    move_all_to("public")
    assert not card_may_disclose(card, Fact.SCORE_BY_ENVIRONMENT)
    assert not run_may_disclose(Run.objects.get(), Fact.SOURCE)


def test_a_version_that_is_not_here_names_the_one_that_is_of_public_sets_alone() -> None:
    here = in_set("public").current
    assert here is not None
    named = f"the version of wk01 here is {game_id_of(here)}"
    assert named in not_offered(["public"], "wk01-0ldone")
    move_all_to("private")
    assert not_offered(["private"], "wk01-0ldone") == not_offered(["public"], "wk01-0ldone")
    assert not_offered(["public"], "zz99") == "game zz99 not found: GET /api/games lists those of this key."


def test_one_private_environment_makes_a_whole_card_answer_with_its_total() -> None:
    assert not card_may_disclose(played("public", "private"), Fact.SCORE_BY_ENVIRONMENT)


def test_a_public_card_of_a_key_with_more_sets_is_open_unless_the_others_are_scored_too() -> None:
    normal = played("public", competition=False, among=("public", "private"))
    assert card_may_disclose(normal, Fact.SCORE_BY_ENVIRONMENT)
    competition = played("public", among=("public", "private"))
    assert not card_may_disclose(competition, Fact.SCORE_BY_ENVIRONMENT)


@pytest.mark.parametrize("release_set", ["semi_private", "private"])
def test_a_closed_competition_card_without_public_environments_may_enter_both_boards(
    release_set: str,
) -> None:
    card = played(release_set)
    assert code_of(card) == code_of(card, Board.COMMUNITY) == "card_open"
    agents.closed(card)
    assert code_of(card) == code_of(card, Board.COMMUNITY) == "none"


@pytest.mark.parametrize(
    ("played_in", "among", "moved_to", "code"),
    [
        (("private", "public"), (), "", "public_set_on_official_board"),
        (("private",), ("private", "public"), "", "public_set_on_official_board"),
        (("public",), ("private",), "private", "public_set_on_official_board"),
        (("private",), ("private",), "public", "public_set_on_official_board"),
        (("private",), (), "none", "withdrawn_from_sets"),
    ],
)
def test_what_was_or_is_public_or_in_no_set_does_not_enter_the_official_board(
    played_in: tuple[str, ...], among: tuple[str, ...], moved_to: str, code: str
) -> None:
    card = agents.closed(played(*played_in, among=among))
    if moved_to:
        move_all_to(moved_to)
    assert code_of(card) == code
    assert code_of(card, Board.COMMUNITY) == "none"


@pytest.mark.parametrize("board", Board)
def test_cards_of_the_normal_mode_and_empty_cards_enter_no_board(board: Board) -> None:
    assert code_of(agents.closed(played("private", competition=False)), board) == "card_not_in_competition"
    assert code_of(agents.closed(agents.card(competition=True)), board) == "card_without_runs"


@pytest.mark.services
def test_a_score_is_counted_once_however_often_it_is_told() -> None:
    card = agents.closed(played("semi_private", "public", competition=False))
    disclose(card)
    disclose(Scorecard.objects.get())
    assert counted() == {"semi_private": 1, "public": 1}


def test_a_competition_score_is_about_every_environment_of_its_sets() -> None:
    in_set("private", "ck01")
    disclose(agents.closed(played("private")))
    assert counted() == {"private": 2}


def test_a_score_counts_for_the_set_in_which_it_was_played() -> None:
    card = agents.closed(played("private"))
    move_all_to("public")
    disclose(card)
    assert counted() == {"private": 1}


def test_an_open_card_has_no_score_to_disclose() -> None:
    with pytest.raises(Refusal) as refused:
        disclose(played("public"))
    assert refused.value.code == "card_open"
    assert not Disclosure.objects.exists()
