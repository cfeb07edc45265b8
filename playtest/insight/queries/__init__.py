"""Reads of insight."""
