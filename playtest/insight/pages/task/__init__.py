"""A static task's page of results: who solved which pair, and the wrong outputs that people agree on."""
