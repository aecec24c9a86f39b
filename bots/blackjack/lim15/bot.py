"""Lim15: draws below 15, then stands."""

from lib.lim import play

play(15)
