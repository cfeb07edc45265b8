"""People who try: each in their own way, and some in ways that can look as if they did not."""

from random import Random

from playtest.rehearsal.people.person import Person
from playtest.rehearsal.people.steps import Play, Scene, Solutions
from tools.effort_flags.unseen.body import Style
from tools.effort_flags.unseen.player import Player


def careful(person: Person, scene: Scene, solutions: Solutions, chance: Random, visit: int) -> Play:
    """Thinks before most actions, takes back what was wrong by hand, and is never in a hurry."""
    style = Style(
        tempo=1.7, ponders=0.35, resets=0.15, varies=0.5, roams=5, failures=12, minutes=15, slips=0.004
    )
    yield from Player(person, scene, solutions, chance, visit, style).play()


def expert(person: Person, scene: Scene, solutions: Solutions, chance: Random, visit: int) -> Play:
    """Has played many such games: few tests, quick hands, few ideas that fail, and likes to finish."""
    style = Style(
        tempo=0.75, ponders=0.06, probes=1, varies=0.6, roams=6, failures=14, minutes=16, absences=0.3
    )
    yield from Player(person, scene, solutions, chance, visit, style).play()


def beginner(person: Person, scene: Scene, solutions: Solutions, chance: Random, visit: int) -> Play:
    """Does not play games: wanders, presses wrong keys, and starts anew whenever something looks wrong."""
    style = Style(
        tempo=1.3,
        ponders=0.15,
        probes=2,
        resets=0.95,
        varies=0.25,
        roams=8,
        failures=13,
        slips=0.02,
        stalls=0.15,
    )
    yield from Player(person, scene, solutions, chance, visit, style).play()


def interrupted(person: Person, scene: Scene, solutions: Solutions, chance: Random, visit: int) -> Play:
    """Stops for minutes: to think, to drink, to go out, or because somebody talks to them."""
    pauses = person.chance("pauses")
    style = Style(
        ponders=pauses.uniform(0.1, 0.3),
        failures=10,
        minutes=14,
        absences=pauses.uniform(5, 16),
        absent=pauses.uniform(60, 240),
    )
    yield from Player(person, scene, solutions, chance, visit, style).play()


def systematic(person: Person, scene: Scene, solutions: Solutions, chance: Random, visit: int) -> Play:
    """Presses each action several times in order on a new board, and does so again wherever stuck."""
    style = Style(tempo=1.1, ponders=0.15, probes=3.5, varies=0.25, orderly=0.6, failures=11, minutes=13)
    yield from Player(person, scene, solutions, chance, visit, style).play()


def stuck(person: Person, scene: Scene, solutions: Solutions, chance: Random, visit: int) -> Play:
    """Gets stuck for long, does nearly the same again and again with a change, and does not give up."""
    style = Style(
        ponders=0.08, resets=0.75, varies=0.8, roams=7, failures=70, minutes=26, stalls=0.35, orderly=0.05
    )
    yield from Player(person, scene, solutions, chance, visit, style).play()


def disheartened(person: Person, scene: Scene, solutions: Solutions, chance: Random, visit: int) -> Play:
    """Works at each environment and gives it up at the first level that resists for some minutes."""
    style = Style(probes=2, failures=12, minutes=7.5, stalls=0.2)
    yield from Player(person, scene, solutions, chance, visit, style).play()


def older(person: Person, scene: Scene, solutions: Solutions, chance: Random, visit: int) -> Play:
    """Sees and presses slowly, clicks beside things, presses twice, and needs long to get used to it."""
    style = Style(
        tempo=2.4,
        ponders=0.2,
        probes=2,
        roams=7,
        failures=11,
        minutes=16,
        slips=0.03,
        doubles=0.04,
        absences=1.5,
    )
    yield from Player(person, scene, solutions, chance, visit, style).play()


def headlong(person: Person, scene: Scene, solutions: Solutions, chance: Random, visit: int) -> Play:
    """Acts first and thinks afterwards: quick, untidy, learns by what goes wrong, starts anew at once."""
    style = Style(
        tempo=0.6, ponders=0.02, probes=0.7, resets=0.85, varies=0.25, roams=16, failures=20, slips=0.025
    )
    yield from Player(person, scene, solutions, chance, visit, style).play()
