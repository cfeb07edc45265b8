"""Pictures of the arena: agents play through the API, against a baseline of the people at the socket."""

import json
import re
from tempfile import NamedTemporaryFile

from playwright.sync_api import Page

from playtest_agents.__main__ import main as play_agent
from tests.live.server import PASSWORD
from tools.games import shipped
from tools.screenshots import models
from tools.screenshots.camera import PHONE, Camera
from tools.screenshots.models import Model
from tools.screenshots.results import release as release_shown
from tools.screenshots.world import PLAYED, World

CODE, HELD_OUT = "ke52", "tz85"
MODELS = (
    Model("Small model", 1, 3, 2e-7, 900),
    Model("Medium model", 3, 12, 1e-6, 1_500),
    Model("Large model", 6, 5, 4e-6, 2_400),
    Model("Older model", 2, 14, 3e-6, 2_000),
)
METHOD = "Sees the last four frames as text, writes down what it believes, and chooses one action."


def take(camera: Camera, world: World) -> None:
    """Take the pages of the arena."""
    picture(camera, fill(camera, world)["Large model"])


def picture(camera: Camera, card_id: str) -> None:
    """Take the pages, of this scorecard too, after `fill`."""
    card = f"/staff/arena/cards/{card_id}/"
    with camera.staff() as page:
        camera.take(page, "arena-cards", "/staff/arena/cards/")
        camera.show(page, "/staff/arena/boards/?board=community", "arena-board")
        camera.show(page, "/staff/arena/boards/?board=official", "arena-board-official")
        camera.take(page, "arena-card", card)
        camera.show(page, f"/staff/arena/environments/{CODE}/", "arena-environment")
        camera.take(page, "arena-development", "/staff/arena/development/")
        camera.take(page, "arena-exposure", "/staff/arena/exposure/")
        watch(camera, page, card)
        camera.take(page, "arena-replay")
    with camera.staff(PHONE) as page:
        camera.take(page, "arena-card-narrow", card)


def watch(camera: Camera, page: Page, card: str) -> None:
    """Open the replay of a run of the card, in the middle."""
    camera.open(page, card)
    page.get_by_role("link", name=f"Replay 1 of {CODE}").click()
    page.locator("replay-player[data-seq]").wait_for()
    attempt = re.sub(r"[?#].*", "", page.url.removeprefix(camera.root))
    camera.open(page, f"{attempt}?a=20")
    page.locator("replay-player[data-seq]").wait_for()


def fill(camera: Camera, world: World) -> dict[str, str]:
    """Release baselines, let agents play what people have played, and enter them on the boards.

    Returns the public card of each model.
    """
    world.server.seed(staff="engineer", password=PASSWORD)
    codes = [path.name for path in shipped()]
    world.server.seed(sets={code: "public" if code in PLAYED else "none" for code in codes})
    with camera.staff() as page:
        for code in PLAYED:
            release(camera, page, world, code)
    public = {model.name: played(world, model, "public") for model in MODELS}
    reference(world, "random", "--actions", "300")
    reference(world, "frontier", "--actions", "800", "--competition")
    with NamedTemporaryFile("w", suffix=".json") as file:
        file.write(world.server.manage("level_actions", "best"))
        file.flush()
        reference(world, "replay", "--file", file.name, "--competition")
    with camera.staff() as page:
        move(camera, page, HELD_OUT, "semi_private")
    held_out = {model.name: played(world, model, "semi_private") for model in MODELS[:3]}
    with camera.staff(name="engineer") as page:
        for name in public:
            enter(camera, page, public[name], "community", name)
        for name in held_out:
            enter(camera, page, held_out[name], "official", name)
    with camera.staff() as page:
        adopt(camera, page)
        for name in list(held_out)[:2]:
            declare(camera, page, name)
        note(camera, page, public["Large model"])
    return public


def release(camera: Camera, page: Page, world: World, code: str) -> None:
    """Release the baseline of an environment, if it has none yet."""
    released = (
        "SELECT 1 FROM insight_release JOIN studio_environment ON studio_environment.id = environment_id"
    )
    if world.server.rows(f"{released} WHERE code = '{code}'"):
        return
    camera.open(page, f"/staff/environments/{code}/baseline/")
    release_shown(page)


def played(world: World, model: Model, release_set: str) -> str:
    """The first of two cards on which a model played a set, with a new key."""
    secret, root = key(world, model.name, release_set), f"http://127.0.0.1:{world.port}"
    first, _ = (models.play(root, secret, model, seed) for seed in (1, 2))
    return first


def key(world: World, name: str, release_set: str) -> str:
    """The secret of a new key for a set."""
    answer = world.server.manage("api_key", name, "--set", release_set, "--per-minute", "100000", "--json")
    return str(json.loads(answer)["key"])


def reference(world: World, agent: str, *options: str) -> None:
    """Let a reference agent play the public set."""
    secret = key(world, f"Reference: {agent}", "public")
    assert play_agent([agent, "--url", f"http://127.0.0.1:{world.port}", "--key", secret, *options]) == 0


def move(camera: Camera, page: Page, code: str, release_set: str) -> None:
    """Move an environment to another set."""
    camera.open(page, f"/staff/environments/{code}/studio/edit/")
    page.get_by_label("Set", exact=True).select_option(release_set)
    page.get_by_role("button", name="Save description").click()
    page.wait_for_load_state("networkidle")


def enter(camera: Camera, page: Page, card: str, board: str, agent: str) -> None:
    camera.open(page, f"/staff/arena/cards/{card}/")
    page.get_by_text("Enter on a board").click()
    page.get_by_label("Board").select_option(board)
    page.get_by_label("Name of the agent").fill(agent)
    page.get_by_label("Address of its public code").fill("https://example.org/agents")
    page.get_by_label("How it works").fill(METHOD)
    page.get_by_role("button", name="Enter this scorecard").click()
    page.wait_for_url("**/boards/**")


def adopt(camera: Camera, page: Page) -> None:
    camera.open(page, "/staff/arena/boards/?board=official")
    page.get_by_text("Adopt a harness", exact=True).click()
    page.get_by_label("Name of the harness").fill("Frames as text")
    page.get_by_label("Version").fill("1.2")
    page.get_by_role("button", name="Adopt harness").click()
    page.wait_for_load_state("networkidle")


def declare(camera: Camera, page: Page, agent: str) -> None:
    camera.open(page, "/staff/arena/boards/?board=official")
    waiting = page.locator("section.waiting", has=page.get_by_role("link", name=agent))
    waiting.get_by_text("Declare how it was played").click()
    waiting.get_by_label("What you looked at").fill(
        "The reasoning of three runs, and the log of the harness."
    )
    waiting.get_by_label("The agent had no tools").check()
    waiting.get_by_role("button", name="Declare", exact=True).click()
    page.wait_for_load_state("networkidle")


def note(camera: Camera, page: Page, card: str) -> None:
    camera.open(page, f"/staff/arena/cards/{card}/")
    page.get_by_text("Add a note").click()
    page.get_by_label("Note").fill("Ran twice with other seeds: the second card scored about the same.")
    page.get_by_role("button", name="Add note").click()
    page.wait_for_load_state("networkidle")
