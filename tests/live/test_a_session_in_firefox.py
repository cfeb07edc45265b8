"""A person plays in the second browser: from the code to a won environment, with a reload in the middle."""

from collections.abc import Callable
from pathlib import Path
from shutil import copytree

import pytest

from engine.play.actions import CLICK
from tests.live.firefox import Firefox, firefox
from tests.live.human import KEYS, MAY_ACT, SHOWN, winning_actions
from tests.live.server import ROOT, Server

WON = "bh93"


@pytest.mark.long
def test_a_person_wins_an_environment_with_keys_in_firefox(
    make_server: Callable[..., Server], tmp_path: Path
) -> None:
    games = tmp_path / "games"
    copytree(ROOT / "games" / WON, games / WON)
    server = make_server(GAMES_DIR=str(games))
    server.manage("build_assets")
    port = server.start()
    (person,) = server.seed(games=str(games), people=1, stage="new")["people"]
    actions = winning_actions(games / WON, "shortest")
    with firefox(tmp_path) as browser:
        check_in(browser, f"http://127.0.0.1:{port}/", person["code"])
        learn(browser)
        for sequence, action in enumerate(actions, start=1):
            assert action.id != CLICK
            if sequence == len(actions) // 2:
                browser.reload()
                until_playing(browser)
            browser.press(KEYS[action.id])
            browser.wait_for(f"({SHOWN})('{sequence}')")
            browser.wait_for(f"({MAY_ACT})()")
        browser.wait_for(
            "location.pathname === '/session/' || document.querySelector('main').dataset.stage !== 'playing'"
        )
        assert browser.errors == []
    played = server.rows("SELECT action, input_kind FROM play_entry WHERE seq > 0 ORDER BY seq")
    assert played == [(action.id, 1) for action in actions]
    assert server.rows("SELECT outcome FROM play_attempt") == [("completed",)]
    unsaid = "SELECT seq FROM play_entry WHERE seq > 1 AND previous_paint_ms IS NULL"
    reported = "SELECT count(*) FROM play_event WHERE kind = 'painted'"
    assert server.rows(reported) == [(len(server.rows(unsaid)) + 1,)], "each action has its press to paint"


def check_in(browser: Firefox, address: str, code: str) -> None:
    browser.goto(address)
    browser.wait_for("document.activeElement.tagName === 'INPUT'")
    browser.type(code.lower().replace("-", ""))
    browser.press("Enter")
    browser.wait_for("location.pathname.endsWith('/consent/')")
    browser.click_on("button", "I agree")
    browser.wait_for("location.pathname.endsWith('/survey/')")
    while browser.evaluate("location.pathname.endsWith('/survey/')"):
        step = browser.evaluate("document.querySelector('.step').textContent.trim()")
        browser.click_on("button", "Skip")
        browser.wait_for(
            "location.pathname.endsWith('/tutorial/') || (document.readyState === 'complete'"
            f" && (document.querySelector('.step')?.textContent.trim() ?? {step!r}) !== {step!r})"
        )


def learn(browser: Firefox) -> None:
    browser.wait_for("document.querySelector('play-board canvas') !== null")
    for key in ("w", "ArrowLeft", "ArrowDown", "d", "Space", "Control+z", "r"):
        browser.press(key)
    browser.click_on("play-board canvas")
    browser.click_on("button", "Start")
    until_playing(browser)


def until_playing(browser: Firefox) -> None:
    browser.wait_for("document.querySelector('main[data-stage=playing][data-connection=live]') !== null")
    browser.wait_for(f"({MAY_ACT})()")
