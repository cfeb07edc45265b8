"""Tables of attempts and level results, and what pages count in them."""
