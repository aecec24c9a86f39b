/* Cards as numbers, and sets of cards as the bits of one number.

   Card 0 is 2C, 12 is AC, then diamonds, hearts and, from 39 to 51, spades: the order in which the
   protocol names the pack. A set of cards has bit n for card n. */

#ifndef CARDS_H
#define CARDS_H

#include <stdint.h>

typedef uint64_t Cards;

enum { CLUBS, DIAMONDS, HEARTS, SPADES };
enum { FIVE = 3, EIGHT = 6, TEN = 8, JACK, QUEEN, KING, ACE };

#define PACK ((1ULL << 52) - 1)
#define FIRST_SPADE 39

#define EACH(card, set) \
    for (Cards rest_ = (set); rest_ && ((card) = lowest(rest_), 1); rest_ &= rest_ - 1)

static inline Cards only(int card) { return 1ULL << card; }
static inline Cards of_suit(int suit) { return 0x1FFFULL << 13 * suit; }
static inline int suit_of(int card) { return card / 13; }
static inline int rank_of(int card) { return card % 13; }
static inline int is_spade(int card) { return card >= FIRST_SPADE; }
static inline int count(Cards set) { return __builtin_popcountll(set); }
static inline int lowest(Cards set) { return __builtin_ctzll(set); }
static inline int highest(Cards set) { return 63 - __builtin_clzll(set); }

/* The ranks that a set has of a suit, as 13 bits. */
static inline int ranks_of(Cards set, int suit) { return set >> 13 * suit & 0x1FFF; }

/* The cards of the same suit that beat a card. */
static inline Cards higher(int card)
{
    return of_suit(suit_of(card)) >> (card + 1) << (card + 1);
}

/* Whether a card takes a trick that `best` is winning. */
static inline int beats(int card, int best)
{
    return suit_of(card) == suit_of(best) ? card > best : is_spade(card);
}

/* What it costs to part with a card: spades are dearer than any other. */
static inline int cost(int card) { return rank_of(card) + 13 * is_spade(card); }

#endif
