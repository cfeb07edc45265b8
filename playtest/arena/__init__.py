"""The arena: agents play the same environments through the official REST API."""
