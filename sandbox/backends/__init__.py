"""The kinds of sandboxes: a file for each, and the code that several share."""
