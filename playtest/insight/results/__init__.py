"""Tables of attempts and level results, and the acceptance gate."""
