"""The board: every environment in the column of its stage, with the needs it does not meet."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from playtest.insight.pages import internal_plays
from playtest.insight.scope import EVERYONE
from playtest.insight.tables.acceptance import counted_people, verdicts
from playtest.insight.tables.pairs import Ambiguous, ambiguous_pairs
from playtest.insight.tables.results import attempts
from playtest.rules.acceptance import Gate, Verdict
from playtest.rules.kinds import Kind
from playtest.rules.pipeline import (
    MOVES_OF,
    OF_VERSION,
    WITH_PEOPLE,
    Fact,
    Move,
    Need,
    Stage,
    find_move,
    moves_back,
    next_move,
    unmet_needs,
)
from playtest.studio.models import Environment, GateWaiver, ReleaseSet, StageMove, WaiverState
from playtest.studio.queries import gates, waivers
from playtest.studio.queries.gates import Facts
from playtest.studio.queries.redundancy import Marked, marks_of
from playtest.studio.queries.waivers import Waivers


@dataclass(frozen=True)
class Redundant:
    """A mark in force that an environment is in: the other of the pair, and the mark."""

    other: str
    marked: Marked


@dataclass(frozen=True)
class Card:
    """An environment on the board.

    `onward` is the move to the next stage, None in the last one. `missing` are the needs that it does not
    meet, each with a sentence. `returned` is the last move if it led back. `unsound` is whether the
    public plays a version without what is asked of each. `accepted` is what the public showed, with data and
    a `verdict` from External on. `ambiguous` are the test pairs of a static task where people agree on a
    wrong output. `waivers` are those in force, `asked` those that wait for a lead, `card` what the gate asks
    of its card.
    """

    environment: Environment
    onward: Move | None
    missing: tuple[tuple[Need, str], ...]
    back: tuple[Move, ...]
    returned: StageMove | None
    unsound: bool
    redundant: tuple[Redundant, ...]
    accepted: Fact
    verdict: Verdict | None
    ambiguous: tuple[Ambiguous, ...]
    waivers: list[GateWaiver]
    asked: list[GateWaiver]
    card: Fact

    @property
    def signing(self) -> bool:
        """Whether its specification card is complete and waits for signatures alone."""
        return "signed_by" in (self.card.data or {})

    @property
    def blocks(self) -> tuple[str, ...]:
        """The sentences of the missing needs."""
        return tuple(sentence for _, sentence in self.missing)


MOST_FIRST = 6
"""Of a column's cards; the page shows the others when they are asked for."""


@dataclass(frozen=True)
class Column:
    """The environments of a stage, those first that wait for a lead or can move on, then those sent back.

    What a search has found is not folded.
    """

    stage: Stage
    cards: tuple[Card, ...]
    is_found: bool = False

    @property
    def first(self) -> list[Card]:
        """What the page opens with."""
        return list(self.cards) if self.is_found else self._programs[:MOST_FIRST]

    @property
    def folded(self) -> list[tuple[str, list[Card]]]:
        """The others, of each kind."""
        rest = {"more": self._programs[MOST_FIRST:], "static": [one for one in self.cards if _is_task(one)]}
        return [] if self.is_found else [(name, cards) for name, cards in rest.items() if cards]

    @property
    def _programs(self) -> list[Card]:
        def turn(card: Card) -> tuple[bool, bool]:
            return not card.asked and (not card.onward or bool(card.blocks)), card.returned is None

        return sorted((one for one in self.cards if not _is_task(one)), key=turn)


def _is_task(card: Card) -> bool:
    return not card.environment.kind.has_levels


def facts_of(environment: Environment) -> Facts:
    """Every fact that the gates need about one environment."""
    one = [environment]
    return _facts(one, waivers.granted(one), marks_of(one), _verdicts(one))[environment.pk]


def board(search: str = "") -> list[Column]:
    """The columns of all environments, or of those that `search` finds."""
    environments = list(found(search).select_related("current", "owner").defer("current__source"))
    known = cards(environments, _ambiguous([one for one in environments if not one.kind.has_levels]))
    return [
        Column(stage, tuple(card for card in known if card.environment.stage == stage), bool(search))
        for stage in Stage
    ]


def cards(
    environments: Collection[Environment], ambiguous: Mapping[int, tuple[Ambiguous, ...]] | None = None
) -> list[Card]:
    """The cards of these environments; with test pairs where they are given, by task."""
    newest, marks = waivers.newest(environments), marks_of(environments)
    granted = {pk: waivers.in_state(rows, WaiverState.GRANTED) for pk, rows in newest.items()}
    judged, last = _verdicts(environments), _last_moves(environments)
    known, pairs = _facts(environments, granted, marks, judged), ambiguous or {}
    return [
        _card(
            one,
            known[one.pk],
            judged.get(one.pk),
            last.get(one.pk),
            marks[one.pk],
            pairs.get(one.pk, ()),
            newest[one.pk],
        )
        for one in environments
    ]


def found(search: str) -> QuerySet[Environment]:
    """The environments whose id, title, owner, set or kind contains every word of `search`."""
    environments = Environment.objects.all()
    for word in search.split():
        sets = [one.value for one in ReleaseSet if one != ReleaseSet.NONE and word.lower() in one.label]
        environments = environments.filter(
            Q(code__icontains=word)
            | Q(title__icontains=word)
            | Q(owner__username__icontains=word)
            | Q(release_set__in=sets)
            | Q(kind__in=[kind for kind in Kind if word.lower() in kind.terms.label])
        )
    return environments


def _facts(
    environments: Collection[Environment],
    granted: Mapping[int, Waivers],
    marks: Mapping[int, list[Marked]],
    judged: Mapping[int, Verdict],
) -> dict[int, Facts]:
    played = internal_plays.facts(environments)
    return {
        pk: waivers.applied(
            found | {Need.ACCEPTED: _accepted(judged.get(pk)), Need.PLAYED: played[pk]}, granted[pk]
        )
        for pk, found in gates.facts(environments, marks).items()
    }


def _verdicts(environments: Collection[Environment]) -> Mapping[int, Verdict]:
    """What the public showed, of those that it plays."""
    tried = [one for one in environments if one.stage in WITH_PEOPLE and one.current_id]
    return verdicts(tried) if tried else {}


def _ambiguous(tasks: list[Environment]) -> Mapping[int, tuple[Ambiguous, ...]]:
    """By task, from stored results of real people at its current version."""
    if not tasks:
        return {}
    found = ambiguous_pairs(counted_people(attempts(EVERYONE, tasks), EVERYONE), EVERYONE)
    return {one.pk: found[one.current_id] for one in tasks if one.current_id in found}


def _accepted(verdict: Verdict | None) -> Fact:
    if verdict is None:
        return Fact(False, "The public plays it only in External.")
    data = {"gate": verdict.gate.value, "people": verdict.people, "solvers": verdict.solvers}
    if verdict.gate == Gate.BACK:
        return Fact(False, f"Back to its developer: {verdict.sentence}", data)
    return Fact(verdict.gate == Gate.PASSED, verdict.sentence, data)


def _last_moves(environments: Collection[Environment]) -> dict[int, StageMove]:
    moves = StageMove.objects.filter(environment__in=environments).select_related("moved_by", "version")
    return {move.environment_id: move for move in moves.defer("version__source").order_by("pk")}


def _card(
    environment: Environment,
    facts: Facts,
    verdict: Verdict | None,
    last: StageMove | None,
    marks: list[Marked],
    ambiguous: tuple[Ambiguous, ...],
    newest: Waivers,
) -> Card:
    stage = Stage(environment.stage)
    moves = MOVES_OF[environment.kind]
    onward, back = next_move(stage, moves), tuple(moves_back(stage, moves))
    returned = last if last and _led_back(last) else None
    asked = unmet_needs(find_move(Stage.EXTERNAL, Stage.DONE, moves), facts)
    unsound = stage in WITH_PEOPLE and any(need in OF_VERSION - {Need.ACCEPTED} for need in asked)
    missing = tuple((need, facts[need].sentence) for need in unmet_needs(onward, facts)) if onward else ()
    asked_for = waivers.in_state(newest, WaiverState.ASKED)
    redundant = tuple(Redundant(one.other(environment).code, one) for one in marks if one.standing.in_force)
    return Card(
        environment,
        onward,
        missing,
        back,
        returned,
        unsound,
        redundant,
        facts[Need.ACCEPTED],
        verdict,
        ambiguous,
        [*waivers.in_state(newest, WaiverState.GRANTED).values()],
        [row for need, row in asked_for.items() if not waivers.is_met(facts[need])],
        facts[Need.CARD],
    )


def _led_back(move: StageMove) -> bool:
    return not Move(Stage(move.before), Stage(move.after)).forward
