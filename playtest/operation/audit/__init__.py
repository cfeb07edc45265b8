"""Proves from the database alone that the record is whole, and that what repeats it agrees with it."""
