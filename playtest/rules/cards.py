"""What a specification card says of an environment before any code is written (report 3.2 and 3.4).

The priors and the controls are fixed lists, so that cards can be compared; everything else is text.
"""

import re
from dataclasses import dataclass, fields
from enum import StrEnum
from keyword import iskeyword
from typing import Any

from playtest.rules.document import added, digest_of, document_of, value_of
from playtest.rules.errors import RuleError
from playtest.rules.labels import ACTION_LABELS
from playtest.rules.spreadsheets import misread
from playtest.rules.text import storable

SKETCH_SIDE = 64
SKETCH_CELLS = SKETCH_SIDE * SKETCH_SIDE
_OTHER_THAN_DIGITS = re.compile("[^0-9a-fA-F]")


def sketch_text(cells: str) -> str:
    """The 64 lines of a sketch's cells."""
    return "\n".join(cells[start : start + SKETCH_SIDE] for start in range(0, SKETCH_CELLS, SKETCH_SIDE))


def checked_sketch(cells: str) -> str:
    """Returns stored cells. RuleError sketch_cells."""
    if len(cells) != SKETCH_CELLS or _OTHER_THAN_DIGITS.search(cells) or cells != cells.lower():
        raise RuleError("sketch_cells", f"A sketch is {SKETCH_CELLS:,} hexadecimal digits in lower case.")
    return cells


SIGN_OFFS = 2
"""How many members of the team other than the author sign a card before an environment is built."""
FEWEST_GAMES = 2
"""Known games that a card names, unless it says how somebody searched for some."""
LONGEST_TITLE = 8
"""In parts between spaces."""
SHORTEST_TITLE = 3
"""In letters and digits."""
SHORTEST_SEARCH = 8
"""Different words of a text that says how somebody searched."""
FEWEST_MECHANICS = 2
"""One mechanic that only grows is an anti-pattern (report 3.4)."""
MOST_LEVELS = 40
MOST_ITEMS = 40
"""Mechanics, known games and sketches of one card, of each."""
LONGEST_NAME = 100
LONGEST_TEXT = 5_000
_ID = re.compile("[a-z][a-z0-9]{3}")


class Prior(StrEnum):
    """The core-knowledge priors that an environment may rest on (report 3.4)."""

    OBJECTS = "objects"
    SYMMETRY = "symmetry"
    ROTATION = "rotation"
    INSIDE = "inside"
    CONNECTEDNESS = "connectedness"
    COUNTING = "counting"
    GRAVITY = "gravity"
    MOMENTUM = "momentum"
    BOUNCING = "bouncing"
    AGENTS = "agents"
    DISTANCE = "distance"
    COPYING = "copying"
    MEMORY = "memory"


PRIOR_LABELS = {prior: prior.value for prior in Prior} | {
    Prior.OBJECTS: "objectness and occlusion",
    Prior.INSIDE: "inside and outside",
    Prior.COUNTING: "counting small sets",
    Prior.AGENTS: "agents with intent",
    Prior.DISTANCE: "action at a distance",
    Prior.COPYING: "copying and transforming",
    Prior.MEMORY: "memory of what was seen",
}


class Control(StrEnum):
    """A part of the action space (report 2.3.2)."""

    DIRECTIONS = "directions"
    INTERACT = "interact"
    CLICK = "click"
    UNDO = "undo"


CONTROL_ACTIONS = {
    Control.DIRECTIONS: (1, 2, 3, 4),
    Control.INTERACT: (5,),
    Control.CLICK: (6,),
    Control.UNDO: (7,),
}
"""The actions of each control."""


def control_label(control: Control) -> str:
    """What a control is called: the names of its actions."""
    return ", ".join(ACTION_LABELS[action] for action in CONTROL_ACTIONS[control])


def check_id(code: str) -> None:
    """Refuses an id that a new environment cannot have: its modules lie in a folder of that name.

    RuleError id_malformed, id_misread.
    """
    if why := misread(code):
        raise RuleError("id_misread", why)
    if not _ID.fullmatch(code) or iskeyword(code):
        message = "An id is a letter and three letters or digits, in lower case and without a meaning."
        raise RuleError("id_malformed", message)


@dataclass(frozen=True, slots=True)
class Mechanic:
    """One rule of the environment, and the level, from 1, that introduces it."""

    name: str
    level: int
    description: str = ""


@dataclass(frozen=True, slots=True)
class KnownGame:
    """A known game or environment that is near, and what is new compared with it."""

    name: str
    new: str = ""


@dataclass(frozen=True, slots=True)
class Sketch:
    """A drawing of a level: `cells` are 4,096 hexadecimal digits in reading order."""

    level: int
    caption: str
    cells: str


@dataclass(frozen=True, slots=True)
class CardContent:
    """Everything that a revision of a card says. `searched`: how its author searched for known games."""

    concept: str = ""
    mechanics: tuple[Mechanic, ...] = ()
    priors: tuple[str, ...] = ()
    controls: tuple[str, ...] = ()
    known_games: tuple[KnownGame, ...] = ()
    sketches: tuple[Sketch, ...] = ()
    searched: str = added("")

    @property
    def levels(self) -> int:
        """The highest level that a mechanic or a sketch names; 0 without any."""
        named = [one.level for one in self.mechanics] + [one.level for one in self.sketches]
        return max(named, default=0)

    @property
    def actions(self) -> list[int]:
        """The actions of the card's controls, in ascending order."""
        return sorted(action for control in self.controls for action in CONTROL_ACTIONS[Control(control)])

    def as_json(self) -> dict[str, Any]:
        document: dict[str, Any] = document_of(self)
        return document

    @property
    def digest(self) -> str:
        return digest_of(self.as_json())


def content_of(document: object) -> CardContent:
    """Reads and tidies a card's content; what is unfinished is allowed, what makes no sense is not.

    RuleError: card_malformed, card_too_large, text_too_long, level_unknown, prior_unknown, control_unknown,
    sketch_cells.
    """
    try:
        given = value_of(CardContent, document)
    except RuleError as error:
        raise _malformed() from error
    return CardContent(
        _text(given.concept, "The concept", LONGEST_TEXT),
        tuple(
            Mechanic(
                _text(one.name, "A mechanic's name", LONGEST_NAME),
                _level(one.level),
                _text(one.description, "A mechanic's description", LONGEST_TEXT),
            )
            for one in _few(given.mechanics, "mechanics")
        ),
        _chosen(given.priors, Prior, "prior"),
        _chosen(given.controls, Control, "control"),
        tuple(
            KnownGame(
                _text(one.name, "The name of a known game", LONGEST_NAME),
                _text(one.new, "What is new", LONGEST_TEXT),
            )
            for one in _few(given.known_games, "known games")
        ),
        tuple(
            Sketch(
                _level(one.level),
                _text(one.caption, "A sketch's caption", LONGEST_NAME),
                checked_sketch(one.cells),
            )
            for one in _few(given.sketches, "sketches")
        ),
        _text(given.searched, "How you searched", LONGEST_TEXT),
    )


def missing(content: CardContent) -> list[str]:
    """What the card lacks before it can be signed, each as a sentence."""
    wanted = {
        "Say the concept.": bool(content.concept),
        f"Name at least {FEWEST_MECHANICS} mechanics.": len(content.mechanics) >= FEWEST_MECHANICS,
        "Name and describe each mechanic.": all(one.name and one.description for one in content.mechanics),
        "Choose the priors that it rests on.": bool(content.priors),
        "Choose its controls.": bool(content.controls),
        f"Name at least {FEWEST_GAMES} known games by their titles, or say how you searched for some.": (
            len(titles(content)) >= FEWEST_GAMES or says_how(content)
        ),
        "Say what is new compared with each known game.": all(
            one.name and one.new for one in content.known_games
        ),
        "Draw at least one level.": bool(content.sketches),
        "Draw each sketch in more than one colour.": all(len(set(one.cells)) > 1 for one in content.sketches),
        "Draw each level once: two sketches are the same.": len({one.cells for one in content.sketches})
        == len(content.sketches),
    }
    return [sentence for sentence, met in wanted.items() if not met]


def is_title(name: str) -> bool:
    """Whether this can be the title of a game, and not a description such as "games with mirrors"."""
    return (
        sum(map(str.isalnum, name)) >= SHORTEST_TITLE
        and not name[0].islower()
        and len(name.split()) <= LONGEST_TITLE
    )


def titles(content: CardContent) -> set[str]:
    """The titles of the known games that a card names, without capitals."""
    return {one.name.casefold() for one in content.known_games if is_title(one.name)}


def says_how(content: CardContent) -> bool:
    """Whether a card says in enough words how its author searched for known games."""
    return len(set(content.searched.casefold().split())) >= SHORTEST_SEARCH


def changed_parts(before: CardContent, after: CardContent) -> list[str]:
    """The names of the parts in which two revisions differ, as a page names them."""
    return [
        each.name.replace("_", " ")
        for each in fields(CardContent)
        if getattr(before, each.name) != getattr(after, each.name)
    ]


def introduced(content: CardContent) -> dict[int, tuple[Mechanic, ...]]:
    """The mechanics that each level introduces, by level, for the levels that introduce any."""
    levels = sorted({one.level for one in content.mechanics})
    return {level: tuple(one for one in content.mechanics if one.level == level) for level in levels}


def _few[T](items: tuple[T, ...], name: str) -> tuple[T, ...]:
    if len(items) > MOST_ITEMS:
        raise RuleError("card_too_large", f"A card has at most {MOST_ITEMS} {name}: leave some out.")
    return items


def _chosen(value: tuple[str, ...], kind: type[StrEnum], name: str) -> tuple[str, ...]:
    """The chosen members in the order of the list, each once."""
    known = [one.value for one in kind]
    for one in _few(value, f"{name}s"):
        if one not in known:
            raise RuleError(f"{name}_unknown", f"There is no {name} {one!r}: choose from the list.")
    return tuple(one for one in known if one in value)


def _text(value: str, name: str, longest: int) -> str:
    if not storable(value):
        raise _malformed()
    text = value.replace("\r\n", "\n").strip()
    if len(text) > longest:
        raise RuleError("text_too_long", f"{name} has at most {longest:,} characters: shorten it.")
    return text


def _level(value: int) -> int:
    if not 1 <= value <= MOST_LEVELS:
        raise RuleError("level_unknown", f"A level is a whole number from 1 to {MOST_LEVELS}.")
    return value


def _malformed() -> RuleError:
    return RuleError("card_malformed", "This card makes no sense: load the page again.")
