"""A study as a data package: tables, recordings, protocols, published figures and a program to check them."""
