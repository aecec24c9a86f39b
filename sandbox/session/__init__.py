"""The referee's side of a box: messages to its pilot and its bot."""
