"""A center's whole day in rehearsal: three slots against a running server, and whether all of it adds up."""
