"""Pictures of static tasks: the participant's page, an import, the studio, results and a replay."""

import json
import re
from pathlib import Path

from tools.games import GAMES
from tools.screenshots.camera import PHONE, Camera
from tools.screenshots.world import World

TASK = "5e07b3c6"
REHEARSAL = "Demonstration of static tasks"
STUDY = {"name": "Spring tasks", "people": 10}
TURNED = ("36f9a1d2", "58a2d94f")
"""Tasks of which an archive has the same with lines and columns exchanged: other tasks, with other ids."""


def take(camera: Camera, world: World) -> None:
    """Take what participants, designers and researchers see of a task."""
    [(study,)] = world.server.rows(f"SELECT id FROM play_study WHERE name = '{REHEARSAL}'")
    here = f"/staff/environments/{TASK}/"
    with camera.staff() as page:
        camera.open(page, "/staff/environments/import/")
        page.set_input_files("#task-files", files(world.server.folder / "tasks"))
        page.get_by_role("button", name="Import tasks").click()
        page.get_by_role("heading", name=re.compile("rejected")).wait_for()
        camera.take(page, "task-import")
        camera.take(page, "task-studio", f"{here}studio/")
        camera.show(page, f"{here}?study={study}", "task-results")
        camera.open(page, f"/staff/attempts/{world.attempt(TASK, study)}/")
        page.locator("replay-player[data-seq]").wait_for()
        page.keyboard.press("End")
        camera.take(page, "task-replay")
    play(camera, world)


def play(camera: Camera, world: World) -> None:
    """Take the page of a person who has begun with an output, and who sits down at a phone."""
    seeded = world.server.seed(games=str(GAMES), pool=[TASK], people=1, stage="playing", study=STUDY)
    seat = {"name": "seat", "value": seeded["people"][0]["seat"], "url": camera.root}
    with camera.page() as page, camera.page(PHONE) as phone:
        page.context.add_cookies([seat])  # type: ignore[list-item]
        page.goto(f"{camera.root}/session/play/")
        page.locator("main[data-kind=task][data-stage=playing][data-connection=live]").wait_for()
        for key in ("c", "ArrowDown", "ArrowRight", "3", "Space", "ArrowRight", "Space"):
            page.keyboard.press(key)
        page.wait_for_timeout(500)
        camera.take(page, "task-board")
        phone.context.add_cookies([seat])  # type: ignore[list-item]
        phone.goto(f"{camera.root}/session/play/")
        phone.locator("main[data-kind=task][data-stage=playing][data-connection=live]").wait_for()
        phone.wait_for_timeout(500)
        camera.take(phone, "task-board-narrow")


def files(folder: Path) -> list[Path]:
    """Write two tasks that are new here, and one that is no task; return these files."""
    folder.mkdir()
    for code in TURNED:
        task = json.loads((GAMES / "tasks" / f"{code}.json").read_text())
        for pair in (*task["train"], *task["test"]):
            pair |= {side: [list(line) for line in zip(*pair[side], strict=True)] for side in pair}
        (folder / f"{code[::-1]}.json").write_text(json.dumps(task))
    (folder / "unfinished.json").write_text(json.dumps({"train": []}))
    return sorted(folder.iterdir())
