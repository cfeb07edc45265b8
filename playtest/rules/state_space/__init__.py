"""Where people are among the states of a level: which state each was in, how far from a win, in which loop.

`locating` finds the state after each action in the graph of an exploration, and whether a win can be reached
from it; `stays` says what each person did among the states. All of it is pure.
"""
