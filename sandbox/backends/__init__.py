"""The kinds of boxes: a file for each, and the code that several share."""
