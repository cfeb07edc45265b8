"""What a study reports of itself: what it registered, and what a paper says of its baseline."""
