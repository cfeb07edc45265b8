"""Links of records that belong to one person: staff make them, and reverse mistakes."""
