"""The referee's side of a sandbox: messages to its pilot and its bot."""
