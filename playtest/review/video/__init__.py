"""Frames as pictures and moving pictures. No Django: frames and times in, files out."""
