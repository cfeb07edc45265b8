"""Static tasks (ARC-AGI-1 and 2): parsed, edited and drawn. Pure: no foreign code, no clock, no database.

A task is played by edits of output grids and by submissions. What it shares with an interactive environment
is what `engine.play.turns` declares: a turn with frames and facts.
"""
