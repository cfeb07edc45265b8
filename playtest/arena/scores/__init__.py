"""Scores of agents, derived from the journals of their runs when they are read, and never stored."""
