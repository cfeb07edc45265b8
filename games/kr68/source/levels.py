"""The levels: eight by eight cells. # is ground on which a cup rolls, = ground on which it slides.

Capital letters are things: L a large cup and S a small one, with the side of its opening and what is in it;
a and b are balls. Small letters are the ground under a place, with what belongs there.
"""

from __future__ import annotations

from games.kr68.source.rules import Plan

LEVELS = (
    Plan(
        """
        ........
        ........
        ........
        .A......
        ####....
        ######..
        ######..
        ######w#
        """,
        {"A": "S^"},
        {"w": "#S"},
    ),
    Plan(
        """
        ........
        ...B....
        .A===...
        .#==#==.
        ........
        ......#w
        ........
        ........
        """,
        {"A": "S>", "B": "S^a"},
        {"w": "#a"},
    ),
    Plan(
        """
        ........
        ........
        .....###
        ..=====.
        ........
        .....B.C
        ..A..===
        ..##w#==
        """,
        {"A": "S^", "B": "L^", "C": "a"},
        {"w": "#LSa"},
    ),
    Plan(
        """
        ........
        .A......
        .###=...
        ........
        ...==B..
        ....==..
        .....#w#
        ...###..
        """,
        {"A": "L>", "B": "S^a"},
        {"w": "#La"},
    ),
    Plan(
        """
        ........
        .......#
        ..B....#
        .###....
        .A....==
        .====...
        .....C..
        .....==w
        """,
        {"A": "L>", "B": "S^", "C": "a"},
        {"w": "=La"},
    ),
    Plan(
        """
        ........
        .A......
        ###w....
        ........
        ..B.....
        ..====..
        .==...x#
        ...#####
        """,
        {"A": "S^a", "B": "S>b"},
        {"w": "#a", "x": "#b"},
    ),
    Plan(
        """
        ........
        ...A.C..
        ...#####
        ........
        ..####..
        ...B....
        ####.##w
        .#####..
        """,
        {"A": "S^a", "B": "S^b", "C": "L>"},
        {"w": "#LSb"},
    ),
    Plan(
        """
        ........
        ......BC
        ....===x
        .A..#...
        =w===###
        ........
        ####....
        ###.....
        """,
        {"A": "L>", "B": "S^b", "C": "S^a"},
        {"w": "=La", "x": "=S"},
    ),
)
