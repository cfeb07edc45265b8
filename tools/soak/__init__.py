"""Soaks: a rehearsal that goes on for long, and what happens to the memory of every process meanwhile."""
