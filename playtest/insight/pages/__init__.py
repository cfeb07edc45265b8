"""The pages of results: queries, figures and views side by side, a folder for each."""
