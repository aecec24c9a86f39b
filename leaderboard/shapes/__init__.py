"""What programs read: each shape that the API answers with, and that `--json` prints.

A shape is a pydantic model made from what the pages show (`leaderboard.views`), so that a page, the
API and the terminal can't disagree. Its docstrings are the documentation: the API's description and
docs/api.md are made from them. Places count from 1, as for people; times are in UTC.
"""
