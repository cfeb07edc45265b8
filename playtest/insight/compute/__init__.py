"""Level results computed from the journal, and kept up to date."""
