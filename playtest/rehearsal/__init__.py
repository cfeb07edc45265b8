"""Rehearsals: simulated people play through the real pages and the socket, so that every page has data.

`people` are pure: their seed and what they see decide what they do. `browser` and `socket` speak to the
server as a browser does, and `session` plays one person's session with them. `clock` and `scheduler` are
virtual time. `program` is a whole rehearsal.
"""
