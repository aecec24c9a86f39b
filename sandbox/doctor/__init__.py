"""Tests of what boxes guarantee on this machine."""
