"""The report of a study for a paper: what the record says of each item, and what people answered."""
