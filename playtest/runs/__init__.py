"""What workers do for long: a row for each, and one life for all of them."""
