"""What people tried on a level: the page with their first actions, failing patterns and dead clicks."""
