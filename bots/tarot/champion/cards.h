/* The 78 cards of French tarot as numbers, and sets of cards as the bits of one whole number.

   Cards 0 to 55 are clubs, diamonds, hearts and spades, each from 1 to the king; 56 to 76 are the
   trumps from the petit to the 21; 77 is the Excuse. Of two cards of a suit the higher number is
   the higher card, and every trump is above every plain card. */

#ifndef CARDS_H
#define CARDS_H

__extension__ typedef unsigned __int128 Cards;

enum { CLUBS, DIAMONDS, HEARTS, SPADES, TRUMPS, EXCUSES };
enum { PETIT = 56, TWENTY_ONE = 76, EXCUSE = 77, PACK = 78 };

#define CARD(n) ((Cards)1 << (n))
#define OF_SUIT(suit) ((Cards)0x3FFF << 14 * (suit))        /* of a plain suit */
#define ALL_TRUMPS ((Cards)0x1FFFFF << PETIT)
#define ALL_PLAIN (CARD(PETIT) - 1)
#define ALL_CARDS (CARD(PACK) - 1)
#define KINGS (CARD(13) | CARD(27) | CARD(41) | CARD(55))
#define BOUTS (CARD(PETIT) | CARD(TWENTY_ONE) | CARD(EXCUSE))

static inline int suit_of(int card)
{
    return card < PETIT ? card / 14 : card == EXCUSE ? EXCUSES : TRUMPS;
}

/* All cards of a suit, the trumps and the Excuse among the suits. */
static inline Cards suited(int suit)
{
    return suit < TRUMPS ? OF_SUIT(suit) : suit == TRUMPS ? ALL_TRUMPS : CARD(EXCUSE);
}

/* All cards of higher numbers. */
static inline Cards above(int card)
{
    return ~(Cards)0 << card << 1;
}

static inline int size(Cards set)
{
    return __builtin_popcountll((unsigned long long)set)
        + __builtin_popcountll((unsigned long long)(set >> 64));
}

/* The lowest and the highest card of a set that has one. */
static inline int lowest(Cards set)
{
    unsigned long long low = (unsigned long long)set;
    return low ? __builtin_ctzll(low) : 64 + __builtin_ctzll((unsigned long long)(set >> 64));
}

static inline int highest(Cards set)
{
    unsigned long long high = (unsigned long long)(set >> 64);
    return high ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll((unsigned long long)set);
}

#define EACH(card, set) \
    for (Cards left_ = (set); left_ && ((card) = lowest(left_), 1); left_ &= left_ - 1)

/* What a card counts, in half points: the whole pack is 182. */
static inline int worth(int card)
{
    static const signed char HONOURS[14] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3, 5, 7, 9};
    return card < PETIT ? HONOURS[card % 14] : CARD(card) & BOUTS ? 9 : 1;
}

/* What a set counts, in half points. */
int worth_of(Cards set);

/* Read a card, and go behind it. */
int read_card(const char **text);

/* Read cards joined by commas; "-" holds none. */
Cards read_cards(const char *text);

/* Write a card's name, and cards joined by commas, to standard output. */
void print_card(int card);
void print_cards(Cards set);

#endif
