"""A runnable starting point of an environment, made from its specification card.

The texts are beside this module. Each level has a comment with the mechanics that the card introduces there,
and the card's sketch of it as its ground.
"""

import json
import shutil
import textwrap
from collections.abc import Iterator
from pathlib import Path
from string import Template

from django.conf import settings

from engine.play.packing import SHARED, write
from engine.prove.qualification.plan import FEWEST_LEVELS
from playtest.rules.cards import (
    PRIOR_LABELS,
    CardContent,
    Control,
    Prior,
    control_label,
    introduced,
    sketch_text,
)

FRAMES_A_SECOND = 10
_TEXTS = Path(__file__).parent
_WIDTH = 96
_WALKING = "from engine.prove.search import DIRECTIONS, Level, Step, keys"
_CLICKING = """\
from engine.play.actions import Action
from engine.prove.search import DIRECTIONS, Level, Step"""
_PICTURE = """\
........
........
........
.@......
......O.
........
........
........"""

_WALK = [4, 4, 4, 4, 4, 2]
"""From the walker of `_PICTURE` to its ring; the same in clicks on the cells between, of 8 pixels each."""
_CLICKS = [{"id": 6, "x": 20 + 8 * step, "y": 28} for step in range(5)] + [{"id": 6, "x": 52, "y": 36}]


def files_of(code: str, title: str, content: CardContent) -> dict[str, str]:
    """The files of the environment's folder, by path: modules, metadata and note. They are not packed yet."""
    controls = content.controls or (Control.DIRECTIONS.value,)
    metadata = {
        "game_id": code,
        "title": title or code,
        "default_fps": FRAMES_A_SECOND,
        "tags": list(controls),
        "class_name": code.capitalize(),
    }
    return {
        "metadata.json": json.dumps(metadata, indent=2) + "\n",
        "NOTE.md": note_of(code, title, content),
        "source/levels.py": _levels(content),
        "source/sketches.py": _sketches(content),
        "source/rules.py": _fill("rules.py.txt"),
        "source/drawing.py": _fill("drawing.py.txt", code=code),
        "source/game.py": _game(code, controls),
        **_proof(code, controls, _count(content)),
    }


def write_folder(games: Path, code: str, title: str, content: CardContent) -> None:
    """Writes `games`/`code` with the source packed from its modules, and the library if it is missing.

    Raises OSError, and SourceError as `packing.write`.
    """
    folder, library = games / code, games / SHARED
    if not library.exists():
        without = shutil.ignore_patterns("__pycache__")
        shutil.copytree(settings.GAMES_DIR / SHARED, library, ignore=without)
    for name, text in files_of(code, title, content).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    write(folder)


def _proof(code: str, controls: tuple[str, ...], levels: int) -> dict[str, str]:
    """The search, a test, a shortest win and a run that gives up, if walking or clicking does anything."""
    walks = Control.DIRECTIONS.value in controls
    if not walks and Control.CLICK.value not in controls:
        return {}
    name = "walking" if walks else "clicking"
    return {
        "search.py": _fill(
            "search.py.txt",
            code=code,
            iterables="Iterable" if walks else "Iterable, Iterator",
            imports=_WALKING if walks else _CLICKING,
            signed="sign, direction" if walks else "direction",
            parts="items" if walks else "values",
            actions=_fill(f"{name}.py.txt").rstrip(),
        ),
        f"test_{code}.py": _fill("test.py.txt", code=code),
        "recordings/loss.jsonl": "[1]\n" if walks else '[{"id": 6, "x": 0, "y": 0}]\n',
        "recordings/win.jsonl": json.dumps((_WALK if walks else _CLICKS) * levels) + "\n",
    }


def _fill(name: str, **values: object) -> str:
    return Template((_TEXTS / name).read_text(encoding="utf-8")).substitute(values)


def _count(content: CardContent) -> int:
    return max(content.levels, FEWEST_LEVELS)


def _levels(content: CardContent) -> str:
    head = '"""The levels. A cell is a sign: . floor, # wall, @ walker, O ring."""\n\n'
    levels = "".join(_level(content, number) for number in range(1, _count(content) + 1))
    return f"{head}from __future__ import annotations\n\nLEVELS = (\n{levels})\n"


def _level(content: CardContent, number: int) -> str:
    mechanics = introduced(content).get(number, ())
    sayings = [f"introduces {_line(one.name)}: {_line(one.description)}" for one in mechanics]
    sayings += [f"is sketched: {_line(one.caption)}" for one in content.sketches if one.level == number]
    sayings = [f"Level {number} {saying}".rstrip(": ") for saying in sayings or ["introduces nothing"]]
    comment = "\n".join(
        textwrap.fill(saying, _WIDTH, initial_indent="# ", subsequent_indent="#   ") for saying in sayings
    )
    return textwrap.indent(f'{comment}\n"""\n{_PICTURE}\n""",\n', "    ")


def _sketches(content: CardContent) -> str:
    head = (
        '"""The sketches of the card, by level: 64 lines of 64 colours. Delete what drawing replaces."""\n\n'
    )
    first = {one.level: one.cells for one in reversed(content.sketches)}
    rows = "".join(
        textwrap.indent(f'{level}: """\n{sketch_text(first[level])}\n""",\n', "    ")
        for level in sorted(first)
    )
    body = f"{{\n{rows}}}" if rows else "{}"
    return f"{head}from __future__ import annotations\n\nSKETCHES: dict[int, str] = {body}\n"


def _game(code: str, controls: tuple[str, ...]) -> str:
    walks, clicks, undoes = (
        control.value in controls for control in (Control.DIRECTIONS, Control.CLICK, Control.UNDO)
    )
    return _fill(
        "game.py.txt",
        code=code,
        class_name=code.capitalize(),
        controls=_first_capital(_labels(controls)),
        actions=CardContent(controls=controls).actions,
        numpy="\nimport numpy as np\n" if undoes else "\n",
        types="from numpy.typing import NDArray\n" if undoes else "",
        cells="from games._shared.cells import DIRECTIONS\n" if walks or clicks else "",
        drawn="CELL, draw" if clicks else "draw",
        ruled=", ".join(
            [*(["State"] * (clicks or undoes)), *(["act"] * (walks or clicks)), "is_solved", "parse"]
        ),
        history="        self._history: list[State] = []\n" if undoes else "",
        script="".join(_script(controls)),
        more=(_CLICKED if clicks else "") + (_HIDDEN if undoes else ""),
    )


_CLICKED = '''
    def _clicked(self) -> State:
        """A click on a cell beside the walker is a step there."""
        x, y = self._position.walker
        step = int(self.action.data["x"]) // CELL - x, int(self.action.data["y"]) // CELL - y
        return act(self._plan, self._position, step) if step in DIRECTIONS.values() else self._position
'''
_HIDDEN = '''
    def _get_hidden_state(self) -> NDArray[np.int8]:
        """What undo leads back to, which no frame shows."""
        return np.array([state.walker for state in self._history], dtype=np.int8)
'''


def _script(controls: tuple[str, ...]) -> Iterator[str]:
    """The branches of `script`, one for each control."""
    branches = {
        Control.DIRECTIONS: "action in DIRECTIONS:\n            self._position = "
        "act(self._plan, before, DIRECTIONS[action])\n",
        Control.CLICK: "action == GameAction.ACTION6:\n            self._position = self._clicked()\n",
        Control.INTERACT: "action == GameAction.ACTION5:\n            pass  # interact does nothing yet\n",
        Control.UNDO: "action == GameAction.ACTION7:\n            self._position = "
        "self._history.pop() if self._history else before\n",
    }
    chosen = [text for control, text in branches.items() if control.value in controls]
    if {Control.DIRECTIONS.value, Control.UNDO.value} & set(controls):
        yield "        before = self._position\n"
    for number, text in enumerate(chosen):
        yield f"        {'elif' if number else 'if'} {text}"
    if Control.UNDO.value in controls:
        yield "        if self._position != before and action != GameAction.ACTION7:\n"
        yield "            self._history.append(before)\n"


def note_of(code: str, title: str, content: CardContent) -> str:
    """The designer's note to be filled in, with what the card says."""
    controls = content.controls or (Control.DIRECTIONS.value,)
    mechanics = [
        f"{number}. {_line(one.name)}: {_line(one.description)} (level {one.level})"
        for number, one in enumerate(sorted(content.mechanics, key=lambda one: one.level), 1)
    ]
    games = [f"- {_line(one.name)}: {_line(one.new)}" for one in content.known_games]
    priors = ", ".join(PRIOR_LABELS[Prior(one)] for one in content.priors)
    return _fill(
        "note.md.txt",
        code=code,
        title=f", “{title}”" if title else "",
        concept=content.concept or "To be written.",
        controls=_first_capital(_labels(controls)),
        priors=priors or "to be written",
        mechanics="\n".join(mechanics) or "To be written.",
        known_games="\n".join(games) or "To be written.",
        levels="\n".join(f"| {number} | | |" for number in range(1, _count(content) + 1)),
    )


def _labels(controls: tuple[str, ...]) -> str:
    return ", ".join(control_label(Control(one)) for one in controls)


def _first_capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _line(text: str) -> str:
    """The text on one line, without a full stop at its end."""
    return " ".join(text.split()).rstrip(".")
