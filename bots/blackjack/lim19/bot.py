"""Lim19: draws below 19, then stands."""

from lib.lim import play

play(19)
