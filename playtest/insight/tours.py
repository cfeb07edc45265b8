"""The guided tours of a participant, a researcher and a designer, on pages that show the demonstration."""

from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import urlencode

from django.db.models import Count
from django.urls import reverse

from playtest.people.models import Staff
from playtest.people.roles import Right
from playtest.people.tour import Step, Tour, add_tour
from playtest.play.models import Attempt, Study
from playtest.play.sessions.internal_plays import open_play_of
from playtest.play.sessions.reads import LEFT_AT_ONCE, PEOPLE
from playtest.rules.attempt import LOST
from playtest.studio.models import SpecificationCard


class Shown(NamedTuple):
    """What the tours show: a study, the attempt of a person in it, and the level on which that ended."""

    study: Study
    attempt: Attempt
    level: int

    @property
    def code(self) -> str:
        return self.attempt.environment.code

    def of_environment(self, name: str, *rest: object) -> str:
        """The address of a page about the environment, with the results of the study."""
        return f"{reverse(name, args=[self.code, *rest])}?{urlencode({'study': self.study.pk})}"


def add_tours() -> None:
    """Declares the tours."""
    add_tour(
        Tour("participant", "as a participant", "what somebody who comes to play sees", None, _participant)
    )
    add_tour(
        Tour(
            "researcher",
            "as a researcher",
            "from a plan to numbers in a paper",
            Right.READ_BASELINES,
            _researcher,
        )
    )
    add_tour(Tour("designer", "as a designer", "where people fail, and why", Right.READ_BASELINES, _designer))


def shown() -> Shown | None:
    """The level that most people left, and whoever acted most before that; None if nobody has played.

    Of the first rehearsal that was played, or of the first study if none was.
    """
    played = Study.objects.filter(sessions__attempts__first_frame_at__isnull=False)
    study = played.order_by("-rehearsal", "pk").first()
    if study is None:
        return None
    everyone = Attempt.objects.filter(PEOPLE, session__study=study, first_frame_at__isnull=False)
    left = everyone.filter(~LEFT_AT_ONCE, outcome__in=LOST)
    places = (left if left.exists() else everyone).values("environment", "levels_completed")
    place = places.annotate(people=Count("pk")).order_by("-people", "environment", "levels_completed")[0]
    who = everyone.filter(environment=place["environment"], levels_completed=place["levels_completed"])
    attempt = who.select_related("environment", "version").order_by("-actions", "pk")[0]
    return Shown(study, attempt, min(attempt.levels_completed + 1, attempt.version.levels))


def _participant(staff: Staff) -> Iterator[Step]:
    yield Step(
        reverse("center:welcome"),
        "A person comes with a code and types it here",
        "Below stands what the session is about and what it pays, before anybody agrees to anything. "
        "This page is all that an idle station shows.",
    )
    found = shown()
    if found is None:
        return
    yield _preview(
        found.study,
        "consent",
        "Nobody plays before they agree",
        "What the session takes and pays, then the study's own text. Whoever does not agree goes home; a "
        "member of staff can be called from every page.",
    )
    if found.study.protocol.survey:
        yield _preview(
            found.study,
            "survey",
            "A few questions, each of which may be skipped",
            "Results can later be split by the answers. Your answers here are not stored.",
        )
    yield _preview(
        found.study,
        "tutorial",
        "The tutorial teaches controls, and never a rule",
        "Try each control, then Start can be pressed. Nobody is told what an environment is about, not "
        "even its name.",
    )
    yield _play(found, staff)
    yield Step(
        reverse("review:attempt", args=[found.attempt.pk]),
        "What somebody saw can be seen again, frame by frame",
        "Space plays it, the arrow keys go from action to action. It ends where the person left: they "
        "may leave at any time, and cannot come back to an environment.",
        right=Right.WATCH_ATTEMPTS,
    )
    yield Step(
        reverse("center:session", args=[found.attempt.session_id]),
        "At the end the session has its pay",
        "Below the environments stands what is owed: the fee, and a bonus for each environment that was "
        "solved. Whoever comes again plays other environments.",
        part="session-attempts",
    )


def _preview(study: Study, page: str, heading: str, text: str) -> Step:
    return Step(reverse("play:preview", args=[study.pk, page]), heading, text)


def _play(found: Shown, staff: Staff) -> Step:
    """The board: of the play that this person has not ended, or of one that begins."""
    environment = found.attempt.environment
    begun = open_play_of(staff, environment)
    return Step(
        reverse("play:internal-play", args=[begun.pk])
        if begun
        else reverse("play:internal-begin", args=[environment.code]),
        "Now play it, as people do",
        "The board, the controls that exist here, the level and the time: nothing else. Click the board, try "
        "the keys, find out what it wants. A play by staff never counts.",
        begins=begun is None,
    )


def _researcher(staff: Staff) -> Iterator[Step]:
    found = shown()
    if found is None:
        return
    yield Step(
        reverse("insight:plan", args=[found.study.pk]),
        "How many people does a claim take?",
        "Before anybody comes: how wide the intervals will be, which differences can be found, and what it "
        "costs. Change the assumptions below, then preregister the plan.",
    )
    yield Step(
        reverse("insight:study", args=[found.study.pk]),
        "The numbers of a study, as a report has them",
        "They follow while people play. The tour shows a rehearsal with simulated people, so the page says "
        "that it is no result. Every bar and dot below opens the attempts behind it.",
        part="study-numbers",
    )
    behind = {"study": found.study.pk, "environment": found.attempt.environment_id}
    yield Step(
        f"{reverse('review:attempts')}?{urlencode(behind)}",
        f"Behind every number are attempts: here those at {found.code}",
        "The small pictures show where each one ended. An environment's name opens its replay, and the "
        "replays of a list follow each other.",
    )
    yield Step(
        reverse("review:attempt", args=[found.attempt.pk]),
        "Every action is kept, and every frame can be shown again",
        "The line below the board shows when the person acted; the list beside it every action. Nothing is "
        "filmed: the environment itself plays the journal again.",
        right=Right.WATCH_ATTEMPTS,
    )
    yield Step(
        reverse("review:queue"),
        "People decide whose results count, not rules",
        "Rules flag sessions in which somebody may not have tried. Reviewers read the evidence, watch and "
        "decide; what would change results needs two of them.",
    )
    yield Step(
        found.of_environment("insight:baseline"),
        "The human baseline is the upper median of actions",
        "Each dot is a person who completed the level on a first run. A released baseline never changes, "
        "and agents are scored against it.",
        part="figure-runs",
    )
    yield Step(
        reverse("insight:report", args=[found.study.pk]),
        "The report fills itself in, item by item",
        "What the record knows is written already; the rest asks you. It leaves as HTML, Markdown, LaTeX "
        "or JSON.",
    )
    yield Step(
        reverse("review:data"),
        "All data leave as tables with a codebook",
        "Attempts, levels, actions and frames, without names. A data package also has a program that "
        "computes every number of the report again.",
    )


def _designer(staff: Staff) -> Iterator[Step]:
    found = shown()
    if found is None:
        return
    yield Step(
        reverse("insight:board"),
        "Each environment waits in the column of its stage",
        f"Marked is {found.code}. Its card lists what the next stage still needs, and each line leads to the "
        "page where it is done.",
        part=found.code,
    )
    if SpecificationCard.objects.filter(environment=found.attempt.environment_id).exists():
        yield Step(
            reverse("studio:card", args=[found.code]),
            "It began as a card, before there was code",
            "The concept, what each level introduces, the nearest known games, sketches of levels. "
            "Colleagues comment on it and sign it.",
        )
    yield Step(
        reverse("studio:environment", args=[found.code]),
        "The studio shows that it works and cannot be guessed",
        "Qualification plays it at random and looks for faults; state graphs bound a random player's chance "
        "of a win. “Play it now” is for you and your colleagues.",
        part="qualifications",
    )
    yield Step(
        found.of_environment("insight:environment"),
        "Its results show which level loses people",
        "Each bar is the people who reached a level: blue completed it, the others left. The heading of the "
        "page names the worst; below are actions, times, resets, and replays to watch first.",
        part="figure-funnel",
    )
    yield Step(
        found.of_environment("insight:level", found.level),
        f"On level {found.level}: where people paused to think",
        "The darker a cell, the longer people waited at it before they acted again. The numbers above lead "
        "to the people.",
        part=f"figure-dwell-{found.level}",
    )
    yield Step(
        found.of_environment("insight:ends", found.level),
        "Their last twenty seconds, side by side",
        "Press Play: everyone who left this level, in the moments before they left. A name opens the whole "
        "replay there.",
        part="endings",
    )
    yield Step(
        found.of_environment("insight:tried", found.level),
        "What did they try?",
        "People who began alike are one branch. Below are the actions that they repeated without getting "
        "anywhere.",
        part="beginnings",
    )
    yield Step(
        reverse("review:attempt", args=[found.attempt.pk]),
        "And one person, action by action",
        "Space plays, the arrow keys step. Press C to leave a comment at a moment, and send colleagues its "
        "link.",
        right=Right.WATCH_ATTEMPTS,
    )
