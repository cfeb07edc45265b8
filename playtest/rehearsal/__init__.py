"""Rehearsals: simulated people who come in by the front door and play, so that every page can be seen full.

`people` are pure: what they do follows from their seed and from what they see. `time` passes as fast as they
and the server can play; `pages` and `socket` speak to the server as a browser does; `sitting` is one person's
way through it; `program` is the whole rehearsal.
"""
