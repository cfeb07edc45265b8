"""Simulated people, pure and seeded: from what they see follows what they do next, and when."""
