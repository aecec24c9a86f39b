"""What a format draws beside its standings: a file for each kind of picture."""
