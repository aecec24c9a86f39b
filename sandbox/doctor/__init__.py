"""Trying out what boxes keep on this machine."""
