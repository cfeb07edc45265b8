"""Foreign code in processes of its own, and what it is kept from."""
