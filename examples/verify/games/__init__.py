"""The games, and what this program knows of each: its questions' words, and its options."""

from games.blackjack import blackjack
from games.blot import blot
from games.durak import durak
from games.spades import spades
from games.tarot import tarot

WORDS = "game phase legal seat dealer hand "
GAMES = {  # the words of a question; the options that are played; those that are only known so
    "blackjack": (
        blackjack,
        "score hand visible stake chips",
        "start_chips hands dealer_stands_at push=lose|return buy_in_per=hand|round"
        " afford=at_least_10|over_10|over_20 visible_scope=hand|round"
        " deal_order=players_first|dealer_first shoe=round|exhausted|hand turns=passes|whole"
        " letters=upper|lower unaffordable_double=stand|allowed bet_zero=stand|nothing"
        " fractions=truncate|malformed answers=lenient|strict move_cap",
        {"visible_order": "up_first"},
    ),
    "spades": (
        spades,
        WORDS + "bids history trick took scores bags goal lose",
        "goal goal_test=reached|exceeded lose max_rounds bag_penalty bid_cap=none|side double_nil"
        " failed_nil_tricks=bags|contract|both first_dealer=seat_0|drawn"
        " first_lead=dealers_left|two_of_clubs open_hands",
        {"blind_nil": "off", "blind_exchange": 0},
    ),
    "blot": (
        blot,
        WORDS + "auction contract declarations history trick points scores target",
        "target max_deals first_dealer=seat_0|drawn auction_end=four_passes|three_passes"
        " capot_level recontra_by=both|declarer open_hands",
        {
            "ruff_partner_winning": "free",
            "trump_over_partner": "any",
            "undertrump": "forced",
            "declare": "auto",
            "belote_overlap": False,
            "top_card": "high",
            "fulfil": "raw",
            "capot_fulfils": "its_points",
            "decl_counts_for_contract": True,
            "revoke": "round",
            "defenders_share": "rest",
            "loser_belote": "lost",
            "no_trump_double": "3/5",
        },
    ),
    "tarot": (
        tarot,
        WORDS + "bids taker contract dog discard shown history trick scores deal",
        "deals petite chelem_by=taker|any trump_discards=forced|never poignees=13/15/18|10/13/15"
        " petit_sec=annul|ignore redeals dog=shown|hidden excuse_last=changes_side|to_winner"
        " reach=at_least|more half_points=rounded|kept open_hands",
        {},
    ),
    "durak": (
        durak,
        "game phase legal seat hand trump talon sizes table attacker defender left history",
        "deck throwers=all|neighbours first_limit transfer=never|card"
        " refill=attacker_first|throwers|seats open_hands",
        {
            "throw_in": "one",
            "throw_after_take": True,
            "transfer_back": True,
            "deuce_beats_ace": False,
            "last_cards": "draw",
            "partners": False,
            "redeal": False,
        },
    ),
}


VERSIONS = {"blackjack": 1, "spades": 2, "blot": 2, "tarot": 2, "durak": 1}
"""The versions of the rules that are followed here; luck, which may differ, is not worked out."""

SEATS = {
    "blackjack": range(1, 5),
    "spades": [4],
    "blot": [4],
    "tarot": [3],
    "durak": range(2, 7),
}


def sides_of(game, options, seats):
    """The side of every seat."""
    together = game in ("spades", "blot") or options.get("partners")
    return [seat % 2 if together else seat for seat in range(seats)]


def unknown(record):
    """Why this program can't follow a record; empty if it can."""
    if VERSIONS.get(record["game"]) != record["version"] or record["format"] != 3:
        return f"{record['game']}, version {record['version']} of its rules"
    *_, played, fixed = GAMES[record["game"]]
    strange = []
    known = {name: texts.split("|") for name, _, texts in map(by_name, played.split())}
    for name, value in record["options"].items():
        texts = [fixed[name]] if name in fixed else known.get(name, [])
        if value not in texts and (texts != [""] or isinstance(value, str)):
            strange.append(f"{name}: {value}")
    return ", ".join(strange)


def by_name(option):
    """An option that is played, and the texts that it may be."""
    return option.partition("=")
