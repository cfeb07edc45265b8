"""The film of three ways through the product: a participant's, a researcher's, a designer's."""

import re
from pathlib import Path

from playwright.sync_api import Page

from playtest.people.roles import Role
from tests.live.human import Human
from tests.live.server import PASSWORD
from tools.games import GAMES, won_in
from tools.screenshots.camera import PICTURES, Camera
from tools.screenshots.cinema import SIZE, Cinema, filming
from tools.screenshots.people import solution_of
from tools.screenshots.world import World

FILM = PICTURES / "three-ways.mp4"
PLAYED, WATCHED = "tb46", "ke52"
ACTION_SECONDS = 0.4
OWN = (
    "from playtest.studio.models import Environment; from playtest.people.models import Staff; "
    "Environment.objects.filter(code__in=['ke52', 'kr68', 'nv52']).update("
    "owner=Staff.objects.get(username='designer'))"
)


def take(camera: Camera, world: World) -> None:
    """Film the three ways, about two minutes, and take the picture that leads to them."""
    for role in (Role.RESEARCHER, Role.DESIGNER):
        world.server.seed(staff=role.value, password=PASSWORD)
    world.server.manage("shell", "-c", OWN)
    film(camera, world, FILM)


def film(camera: Camera, world: World, path: Path) -> None:
    with filming(path) as cinema:
        cinema.title("Playtest", "How people fare on environments that they have never seen", 3.5)
        cinema.title("A participant", "comes to the testing center and plays")
        film_participant(cinema, camera, world)
        cinema.title("A researcher", "reads what it says about people, and releases a baseline")
        with camera.staff(SIZE, name="researcher") as page:
            cinema.page = page
            film_researcher(cinema, page)
        cinema.title("A designer", "watches where people leave, and why")
        with camera.staff(SIZE, name="designer") as page:
            cinema.page = page
            film_designer(cinema, page)
        cinema.title("Playtest", "make up", 3)


def film_participant(cinema: Cinema, camera: Camera, world: World) -> None:
    study = {"name": "Evening sessions", "people": 10}
    seeded = world.server.seed(games=str(GAMES), pool=[PLAYED], people=1, stage="new", study=study)
    with camera.page(SIZE) as page:
        cinema.page = page
        human = Human(page, f"{camera.root}/")
        page.goto(human.address)
        cinema.say("At a station: the code on the card is all it takes")
        cinema.hold(1.5)
        cinema.type(page.get_by_label("Enter your code"), seeded["people"][0]["code"])
        cinema.press("Enter", 0.5)
        cinema.say("Consent says how long it takes and what is paid")
        cinema.hold(3)
        cinema.click(page.get_by_role("button", name="I agree"), 0.5)
        cinema.say("A short survey, of which every question can be skipped")
        cinema.hold(2.5)
        human.skip_survey()
        learn(cinema, page, human)
        play(cinema, human)
        cinema.click(page.get_by_role("button", name="Leave this game"), 1)
        cinema.click(page.get_by_role("button", name="Leave for good"), 1)
        page.wait_for_url("**/thanks/")
        cinema.say("Whoever leaves has done nothing wrong, and is paid")
        cinema.hold(3)


def learn(cinema: Cinema, page: Page, human: Human) -> None:
    cinema.say("The keys, without a word about any environment")
    cinema.hold(1.5)
    for key in ("ArrowUp", "ArrowLeft", "ArrowDown", "ArrowRight", "Space", "Control+z", "r"):
        cinema.press(key, 0.3)
    human.click(32, 32)
    cinema.hold(0.8)
    cinema.click(page.get_by_role("button", name="Start", exact=True), 0.2)
    human.until_playing()


def play(cinema: Cinema, human: Human) -> None:
    """Two levels as somebody wins them, one action after another."""
    cinema.say("Nobody is told the goal or the rules: one finds out by playing")
    cinema.hold(2)
    for level in solution_of(won_in(GAMES / PLAYED))[:2]:
        for action in level:
            human.act(action)
            cinema.hold(ACTION_SECONDS)
        cinema.say("A level is done: a dot more, and the next one begins")
        cinema.hold(2)


def film_researcher(cinema: Cinema, page: Page) -> None:
    cinema.say("The home lists what waits: sessions to review, baselines to release")
    cinema.hold(3.5)
    cinema.say("An open study: its numbers, and the figures of a paper")
    cinema.click(page.get_by_role("main").get_by_role("link", name="Spring sessions", exact=True), 3)
    figure = page.locator("insight-figure").first
    figure.scroll_into_view_if_needed()
    cinema.hold(3)
    cinema.say("One environment: who completes which level, and where people stop")
    page.goto(f"{page.url.split('/staff/')[0]}/staff/environments/{WATCHED}/")
    cinema.wait()
    cinema.hold(2.5)
    cinema.point(page.locator("insight-figure svg.plot a").nth(3))
    cinema.hold(2.5)
    cinema.say("The baseline: the upper median of the actions of whoever completed a level")
    cinema.click(page.get_by_role("button", name="Baseline", exact=True), 3)
    cinema.say("A release stores it with all its inputs, and never changes")
    cinema.click(page.get_by_text("Release this baseline"), 1)
    cinema.type(page.get_by_label("Note"), "Spring sessions.")
    cinema.click(page.get_by_role("button", name=re.compile("Release baseline")), 3)
    cinema.say("Ctrl+K finds anything by id or by words")
    cinema.press("Control+k", 0.5)
    for character in "report":
        page.keyboard.type(character)
        cinema.hold(0.12)
    cinema.wait()
    cinema.hold(2)


def film_designer(cinema: Cinema, page: Page) -> None:
    cinema.say("The home lists one's own environments, and who left them last")
    cinema.hold(3.5)
    cinema.say("Their replay begins where they left")
    left = page.get_by_role("region", name="People who left").get_by_role("rowheader").get_by_role("link")
    cinema.click(left.first, 1)
    page.locator("replay-player[data-seq]").wait_for()
    cinema.hold(1.5)
    for _ in range(10):
        cinema.press("ArrowRight", 0.3)
    cinema.say("Key m: the next moment worth a look, such as actions without effect")
    for _ in range(4):
        cinema.press("m", 1)
    cinema.say("Comments stay with the moment, for the whole team")
    cinema.press("c", 0.6)
    cinema.type(page.get_by_role("textbox", name="Comment"), "Tries what worked on level 1.")
    cinema.press("Control+Enter", 2)
    cinema.say("Key n: the next person who left, and the next")
    for _ in range(2):
        cinema.press("n", 2)
    cinema.say("How everybody left a level, played together")
    page.goto(f"{page.url.split('/staff/')[0]}/staff/environments/{WATCHED}/")
    cinema.wait()
    cinema.click(page.get_by_role("link", name=re.compile("Watch how people left level")).last, 1.5)
    for _ in range(12):
        cinema.press("ArrowRight", 0.3)
    cinema.hold(1.5)
