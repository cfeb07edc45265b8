"""The levels: islands and the bridges between them.

Islands: . empty, @ the flock, a digit: so many wait there, G the nest, S a spring, V twins.
Bridges: a digit: so many hollows, a b c d: a weak one with one, two, three, four. -: nothing.
"""

from __future__ import annotations

from games.jc84.source.rules import Plan

LEVELS = (
    Plan(
        """
        @1121
        ----3
        ----G
        """,
        flock=1,
        wanted=3,
    ),
    Plan(
        """
        21G1.
        2-3-1
        @22-.
        """,
        flock=2,
        wanted=4,
    ),
    Plan(
        """
        .4@31
        2-2-2
        .4112
        3-4-4
        G-.-.
        """,
        flock=2,
        wanted=1,
    ),
    Plan(
        """
        .d.2.
        a-a--
        @22-G
        3-2-3
        2114.
        """,
        flock=2,
        wanted=3,
    ),
    Plan(
        """
        232-G
        2---4
        .4@2.
        4-2-1
        .3S1.
        """,
        flock=2,
        wanted=4,
    ),
    Plan(
        """
        V2@-.
        3-2-4
        .-21.
        3-2-3
        21V4G
        """,
        flock=2,
        wanted=1,
    ),
    Plan(
        """
        @12-.
        --3-5
        G5V2.
        1-4-2
        .3S3V
        """,
        flock=2,
        wanted=4,
    ),
    Plan(
        """
        GdV1.
        a-1-1
        .-@2S
        --2-1
        12.2V
        """,
        flock=2,
        wanted=3,
    ),
)
