"""Writes of the arena, one function each."""
