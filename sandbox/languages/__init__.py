"""How each language is built and run, and by which of this machine's tools."""
