"""Accounts: people with accounts, their uploads, and what organisers decide.

It keeps a database of its own beside that of the results, which it never writes: the runner takes
what was handed in, and says here what became of it.
"""
