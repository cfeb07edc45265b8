"""The results of an environment split by answers, position in the session, or version of the protocol."""
