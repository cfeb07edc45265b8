"""Reads of the arena."""
