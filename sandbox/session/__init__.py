"""The referee's side of a living box: what is said to its pilot and to its bot."""
