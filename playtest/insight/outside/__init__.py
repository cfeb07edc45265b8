"""Data from elsewhere as a study: reads it, plays it again, stores it, and says what came of it."""
