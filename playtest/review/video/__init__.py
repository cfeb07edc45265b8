"""Pictures and films of frames. No Django: frames and times in, files out."""
