"""Staff pages of the arena."""
