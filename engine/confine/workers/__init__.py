"""One-shot workers: confined processes that do what one request asks for and end."""
