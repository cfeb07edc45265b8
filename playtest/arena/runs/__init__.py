"""Keys, scorecards and runs: what agents played, counted and used, and who saw it."""
