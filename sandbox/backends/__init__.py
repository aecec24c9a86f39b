"""The kinds of boxes: a file each, and what two of them share."""
