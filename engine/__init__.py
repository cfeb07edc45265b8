"""Runs environments: source in, turns out. No Django, database, environment variable or wall clock."""
