"""The pages of the door."""

from leaderboard.door.web.pages import (
    asking,
    elsewhere,
    messages,
    mine,
    my_bot,
    my_lists,
    my_match,
    signing_in,
    submitting,
    teams,
    tokens,
)
from leaderboard.door.web.pages.blueprint import blueprint

__all__ = [
    "asking",
    "blueprint",
    "elsewhere",
    "messages",
    "mine",
    "my_bot",
    "my_lists",
    "my_match",
    "signing_in",
    "submitting",
    "teams",
    "tokens",
]
