"""The figure of the boards: score against cost, with its frontier."""

from collections.abc import Mapping, Sequence

from django.urls import reverse

from playtest.arena.models import Board
from playtest.arena.queries.boards import Standing, frontier
from playtest.insight.figures import HREF, Column, Figure


def cost_figure(found: Mapping[Board, Sequence[Standing]]) -> Figure:
    """A mark for each entry by its cost and score; the frontier has the best score up to each cost."""
    entered = [(board, one) for board, entries in found.items() for one in entries]
    everything = [(board, one) for board, one in entered if one.cost is not None]
    best = {one.entry.pk for one in frontier(one for _, one in everything)}
    unknown = len(entered) - len(everything)
    return Figure(
        name="cost",
        kind="scatter",
        title=_title(len(everything), len(best)),
        caption=(
            "Each mark is an entry of this board. Cost is the sum of what its actions name; nothing is typed "
            "in. The line is the frontier: the best score up to each cost."
            + (f" Left out because no action names a cost: {unknown}." if unknown else "")
        ),
        columns=(
            Column("label", "Agent"),
            Column("group", "Board"),
            Column("x", "Cost", "$"),
            Column("y", "Score", "%"),
            Column("frontier", "On the frontier"),
            Column("reading", "Variant"),
            HREF,
        ),
        rows=[
            (
                one.entry.agent,
                board.value,
                one.cost,
                one.score.total,
                one.entry.pk in best,
                one.score.reading.name,
                reverse("arena:card", args=[one.score.card.card_id]),
            )
            for board, one in everything
        ],
        empty="A mark for each entry whose actions name a cost appears here.",
        options={"x_label": "Cost in $", "y_label": "Score (%)", "x_log": True},
    )


def _title(entries: int, best: int) -> str:
    if not best:
        return "Score against cost"
    return f"{best} of {entries} entries on the frontier of score and cost"
