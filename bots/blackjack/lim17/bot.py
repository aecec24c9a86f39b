"""Lim17: draws below 17, then stands."""

from lib.lim import play

play(17)
