"""Action patterns on a level: people's first actions, failing patterns and dead clicks."""
