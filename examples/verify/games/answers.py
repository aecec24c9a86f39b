"""How the lines of bots are read: each function gives the action as a record writes it, or None.

None stands for a line that is no answer of the game: a malformed one.
"""

import re

from cards import RANKS, pack_of

CONTRACTS = ["petite", "garde", "sans", "contre"]
TAROT = [*pack_of("123456789TJNQK"), *(f"A{n}" for n in range(1, 22)), "EX"]
CARD = "[2-9TJQKA][CDHS]"


def plain(line):
    """A line as answers are read: in capitals, without blanks around it; nothing if not ASCII."""
    return line.strip(" \t").upper() if line.isascii() else ""


def one_of(names):
    """What reads a line as one of these names."""
    known = {*names}

    def read(line):
        text = plain(line)
        return text if text in known else None

    return read


def move(o, line):
    """A move, or a bet, whose sign and fraction are dropped."""
    text = line
    if o.answers == "lenient":
        text = plain(line) or line
    bet = re.fullmatch(r"B[ \t]+[+-]?([0-9]{1,15})(\.[0-9]{0,30})?", text)
    if not bet or (bet[2] and o.fractions == "malformed"):
        return text if text in ("H", "S", "D") else None
    return f"B {int(bet[1])}"


def number(line):
    """A number without a sign or leading zeros."""
    return text if re.fullmatch(r"0|[1-9][0-9]{0,2}", text := plain(line)) else None


def call(line):
    """A call, or a bid with its capot in a small letter."""
    found = re.fullmatch(r"P|XX?|(0|[1-9][0-9]{0,3})[CDHSN](C?)", text := plain(line))
    return found and (text[:-1] + "c" if found[2] else text)


def card_or_revoke(line):
    """A card of the pack, or the word for an illegal one."""
    return "revoke" if plain(line) == "REVOKE" else one_of(pack_of("789TJQKA"))(line)


def laid_or_said(line):
    """A card, several of different names joined by `+`, a word, or a card to pass or show."""
    found = re.fullmatch(
        rf"(TAKE|DONE)|(PASS|SHOW)[ \t:]+({CARD})|({CARD}(?:\+{CARD})*)", text := plain(line)
    )
    if not found or found[1]:
        return found and text.lower()
    if found[2]:
        return f"{found[2].lower()} {found[3]}"
    cards = text.split("+")
    in_order = sorted({*cards}, key=pack_of(RANKS).index)
    return "+".join(in_order) if len(in_order) == len(cards) else None


def bid_of(line):
    """A bid, with `!` behind it for the chelem."""
    text = plain(line).lower()
    return text if text.removesuffix("!") in ("pass", *CONTRACTS) else None


def six_cards(line):
    """Six different cards, in the order of a hand."""
    return cards_of(plain(line), [6])


def cards_of(text, sizes):
    """Different cards joined by commas, so many of them, in the order of a hand."""
    cards = text.split(",")
    if len({*cards}) != len(cards) or len(cards) not in sizes or {*cards} - {*TAROT}:
        return None
    return ",".join(sorted(cards, key=TAROT.index))


def card_and_shown(sizes, line):
    """A card, perhaps with `show` and so many cards behind it."""
    card, *rest = re.split("[ \t]+", plain(line))
    if not rest or card not in {*TAROT}:
        return one_of(TAROT)(line)
    cards = cards_of(rest[1], sizes) if len(rest) == 2 and rest[0] == "SHOW" else None
    return cards and f"{card} show {cards}"
