"""Tells two states of a game apart, and puts a game back into one."""
