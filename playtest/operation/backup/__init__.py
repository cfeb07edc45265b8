"""Backups: a folder with the database, the files of DATA_DIR, and a manifest with every digest."""
