"""The levels.

. rock, ~ nothing, @ walker, O goal. Plates: d grey, w warm, c cold, m white. Loose stones: S grey, W warm,
C cold, V warm and D cold that are strong. Fixed: X grey, Y warm, Z cold.
"""

from __future__ import annotations

LEVELS = (
    """
    ~~~~~~~~~
    ~...~~~~~
    ~@W.wwww~
    ~...~~~w~
    ~~~~~~~w~
    ~~~~~~~wX
    ~~~~~~...
    ~~~~~~.O.
    ~~~~~~...
    """,
    """
    ~~~...~~~
    ~~~.SW~~~
    ~~~~ww~~~
    ..~...~..
    @.dd.dd.O
    ..~...~..
    ~~~dd~~~~
    ~~~...~~~
    ~~~...~~~
    """,
    """
    @.Sww...~
    ...ww.W.~
    ...~~...~
    ww~~~~dd~
    ww~X~~dd~
    ..~~~~...
    ...ww....
    ...ww...O
    ~~~~~~~~~
    """,
    """
    ~~~W..~~~
    ~~~...~~~
    ~~~~cc~~~
    ..~...~..
    @.ww.ww.O
    ..~...~..
    ~~~cc~~~~
    ~~~...~~~
    ~~~..C~~~
    """,
    """
    @.Vcc...~
    ...cc...~
    ...~~C..~
    ww~~~~ww~
    ww~~~~ww~
    ..~~~~...
    ...cc....
    ...cc...O
    ~~~~~~~~~
    """,
    """
    @..dd...~
    .S.dd...~
    ..W~~C..~
    ww~~~~ww~
    ww~~~~ww~
    ..~~~~...
    ...dd....
    ...dd...O
    ~~~~~~~~~
    """,
    """
    ~~~..C~~~
    ~~~...~~~
    ~~~~cc~~~
    ..~..W~..
    @.ww.mm.O
    ..~...~..
    ~~~cc~~~~
    ~~~...~~~
    ~~~...~~~
    """,
)
