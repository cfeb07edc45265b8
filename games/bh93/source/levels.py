"""The levels: seven by seven cells of a lake.

Land: . plain, @ the walker, L a lookout, T turns the field of pads, M mirrors it, G the goal.
Pads: o bears, x sinks, a b bear who did not stand on the same colour last. -: nothing.
"""

from __future__ import annotations

from games.bh93.source.rules import Plan

LEVELS = (
    Plan(
        """
        -------
        -------
        -.xxx.-
        -Lxoo.-
        -@oox.-
        -.xxxG-
        -------
        """,
    ),
    Plan(
        """
        -------
        Lxxxxx-
        .ooxxx-
        @xoxxx-
        -xoxooG
        -xooox-
        -------
        """,
    ),
    Plan(
        """
        Lxoooo-
        @ooxxo-
        -xxLoo-
        -xxxox-
        -xxxooG
        -------
        -------
        """,
        reach=2,
    ),
    Plan(
        """
        -@.L---
        ---T---
        -xxxxx-
        -xxooo-
        -xxoxoG
        -xxoxx-
        -xooxx-
        """,
    ),
    Plan(
        """
        -..L.@-
        -M-----
        -xxxxo-
        -oooxo-
        -oxooo-
        -oxxxxG
        -xxxxx-
        """,
    ),
    Plan(
        """
        -------
        Laabab-
        .abxxa-
        @abbab-
        -xaxbx-
        -xxbabG
        -------
        """,
    ),
    Plan(
        """
        -..@L.-
        -T---T-
        -baxaa-
        -abaax-
        -abbbb-
        Gxaaba-
        -xaaxb-
        """,
    ),
    Plan(
        """
        -.L@..-
        -T---M-
        -xxaax-
        -aaaxb-
        -babxb-
        -xaaxaG
        -babbx-
        """,
    ),
)
