"""The figure of where people are among the states of a level, with invented values."""

from playtest.insight.figures import Figure, Row
from playtest.insight.gallery.samples import figure
from playtest.insight.states.names import OUTLOOK_LABELS
from playtest.rules.state_space.outlooks import Outlook

STYLED = (Outlook.OPEN, Outlook.UNKNOWN, Outlook.DEAD_END, Outlook.LOST, Outlook.WON)
BANDS = (Outlook.OPEN, Outlook.DEAD_END, Outlook.LOST)
FARTHEST = 8
"""Actions from the first state to a win."""


def state_space() -> Figure:
    """People on their way from the left to a win on the right; some end in a dead end, some lose."""
    marks = [(Outlook.OPEN, FARTHEST - distance, 12 - distance, 0) for distance in range(FARTHEST)]
    marks += [(Outlook.DEAD_END, 5, 3, 2), (Outlook.DEAD_END, 3, 2, 1), (Outlook.LOST, 4, 2, 2)]
    marks += [(Outlook.WON, 0, 4, 0)]
    rows: list[Row] = [
        (f"State {number}", OUTLOOK_LABELS[outlook], distance, 1, people, stopped, 0, "#figure-states")
        for number, (outlook, distance, people, stopped) in enumerate(marks, start=1)
    ]
    on_the_way = [(number, number + 1, 11 - number) for number in range(FARTHEST - 1)]
    return figure(
        "states", "label outlook x states people stopped returned href", rows,
        outlooks=[OUTLOOK_LABELS[one] for one in STYLED], bands=[OUTLOOK_LABELS[one] for one in BANDS],
        x_label="Actions to a win", from_start=False, farthest=FARTHEST, step=1, most_people=12,
        moves=on_the_way, explored=[(distance, 3 + distance * 2) for distance in range(FARTHEST + 1)],
        often_returned=[False] * len(rows), pictures=[None] * len(rows),
        title="Three of twelve people ended in a dead end",
    )  # fmt: skip
