"""What decides figures and money, beside the journal: each state of each row has a link (docs/journal.md)."""
