"""The pages of people with an account."""

from card_arena.accounts.web.pages import mine, my_bots, sign_in, submitting, teams
from card_arena.accounts.web.pages.blueprint import blueprint

__all__ = ["blueprint", "mine", "my_bots", "sign_in", "submitting", "teams"]
