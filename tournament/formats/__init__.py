"""Who meets whom: a file for each format, what they share, and the list of them."""
