"""The rules of the games and the referee.

Everything here is pure: no files, sockets, clocks or processes, and no randomness of its own.
"""
