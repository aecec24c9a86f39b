"""Seasons that anybody can check: how they begin, and checking everything again."""
