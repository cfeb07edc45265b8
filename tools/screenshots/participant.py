"""Pictures of a participant's pages, from the code to the end."""

from tests.live.human import Human, winning_actions
from tools.games import GAMES, won_in
from tools.screenshots.camera import PHONE, Camera
from tools.screenshots.people import solution_of
from tools.screenshots.world import World

STUDY = {"people": 10}
ADD = (
    "from playtest.play.models import Study; from playtest.studio.models import Environment; "
    "Study.objects.get(pk={study}).pool.add(Environment.objects.get(code='ke52'))"
)


def take(camera: Camera, world: World) -> None:
    """Take the pages of a session and the question at the soft limit on a phone."""
    study = {"name": "Short sessions", "soft_seconds": 60, "hard_seconds": 600, **STUDY}
    person = world.server.seed(games=str(GAMES), pool=["tb46"], people=1, stage="new", study=study)["people"][
        0
    ]
    with camera.page(PHONE) as phone:
        human = Human(phone, f"{camera.root}/")
        human.check_in(person["code"])
        for action in solution_of(won_in(GAMES / "tb46"))[0]:
            human.act(action)
        take_a_session(camera, world)
        phone.locator("prompt-bar:visible").wait_for(timeout=90_000)
        camera.take(phone, "limit-narrow")


def take_a_session(camera: Camera, world: World) -> None:
    """Take a session; the pool has one environment until it is open, so the order is known."""
    study = {"name": "Autumn sessions", **STUDY}
    seeded = world.server.seed(games=str(GAMES), pool=["tz85"], people=1, stage="new", study=study)
    person = seeded["people"][0]
    with camera.page() as page:
        human = Human(page, f"{camera.root}/")
        page.goto(human.address)
        camera.take(page, "welcome")
        page.get_by_label("Enter your code").fill(person["code"])
        page.keyboard.press("Enter")
        page.wait_for_url("**/consent/")
        camera.take(page, "consent")
        page.get_by_role("button", name="I agree").click()
        page.wait_for_url("**/survey/")
        camera.take(page, "survey")
        human.skip_survey()
        camera.take(page, "tutorial")
        human.learn()
        world.server.manage("shell", "-c", ADD.format(study=seeded["study"]))
        for action in winning_actions(GAMES / "tz85")[:30]:
            human.act(action)
        camera.take(page, "board")
        page.get_by_role("button", name="Leave this game").click()
        camera.take(page, "leave")
        page.get_by_role("button", name="Leave for good").click()
        page.get_by_role("heading", name="On to the next one").wait_for()
        page.wait_for_timeout(800)  # until the button "Next" has come
        camera.take(page, "pause")
        page.keyboard.press("Enter")
        human.until_playing()
        page.get_by_role("button", name="Leave this game").click()
        page.get_by_role("button", name="Leave for good").click()
        page.wait_for_url("**/thanks/")
        camera.take(page, "thanks")
