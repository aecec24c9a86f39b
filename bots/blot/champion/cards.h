/* The 32 cards as bits, and which of them may be played to a trick.

   A card has two numbers. Its name's, the same in every contract, is 8 * suit + rank, suits in the
   order C D H S and ranks in the order 7 8 9 T J Q K A: that is what is dealt, bid and announced
   with. Its place in an `Order` depends on the contract: the stronger card of a suit has the
   higher place, and trumps stand above all others. That is what is played with. A set of cards is
   32 bits in either. */

#ifndef CARDS_H
#define CARDS_H

#include <stdint.h>

typedef uint32_t Cards;

enum { CLUBS, DIAMONDS, HEARTS, SPADES, NO_TRUMP, STRAINS };
enum { SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING, ACE };
enum { LAST_TRICK = 10, ALL_POINTS = 162, CAPOT = 252 };

typedef struct {
    uint8_t place[32];      /* of a card that is known by its name's number */
    uint8_t name[32];       /* and back */
    uint8_t points[32];     /* what the card at a place counts */
    Cards trumps;           /* places; empty at no-trump */
} Order;

/* The order of the cards in a contract with this strain. */
const Order *order_of(int strain);

/* A set of cards by name as places, and back. */
Cards to_places(const Order *order, Cards names);
Cards to_names(const Order *order, Cards places);

/* Points that a set of places counts. */
int points_of(const Order *order, Cards places);

/* The number of a card that is written as in "TS", or -1. */
int read_card(const char *text);

/* The number of a strain's letter, or -1. */
int read_strain(char letter);

static inline Cards bit(int card) { return (Cards)1 << card; }
static inline Cards suit_of(int card) { return (Cards)0xFF << (card & 24); }
static inline int lowest(Cards cards) { return __builtin_ctz(cards); }
static inline int highest(Cards cards) { return 31 - __builtin_clz(cards); }
static inline int count_of(Cards cards) { return __builtin_popcount(cards); }

/* A trick that is being played, in places: `led` is its first card, `best` the one that wins and
   `winner` its seat, `pot` the points on the table, `left` how many cards are still to come. */
typedef struct {
    int led, best, winner, pot, left;
} Trick;

extern const Trick NO_CARDS;

/* The cards of a hand that may be played by `seat`, by the rules of a table whose options say
   nothing: a trump that was led must be beaten; a hand without the suit must trump, and over the
   trumps that lie there, else under them; but not while the partner's card wins. */
static inline Cards playable(Cards hand, int seat, const Trick *trick, Cards trumps)
{
    if (trick->left == 4)
        return hand;
    const Cards higher = ~(Cards)1 << trick->best;
    const Cards suit = hand & suit_of(trick->led);
    if (suit) {
        const Cards beating = suit & higher;
        return trumps & bit(trick->led) && beating ? beating : suit;
    }
    const Cards held = hand & trumps;
    if (!held || ((seat ^ trick->winner) & 1) == 0)
        return hand;
    return held & higher ? held & higher : held;
}

/* The trick after one more card. */
static inline Trick with_card(const Trick *trick, int seat, int card, const Order *order)
{
    Trick next = *trick;
    next.pot += order->points[card];
    next.left--;
    if (trick->left == 4)
        next.led = card;
    if (trick->left == 4 || (card > trick->best
            && ((card ^ trick->best) < 8 || order->trumps & bit(card)))) {
        next.best = card;
        next.winner = seat;
    }
    return next;
}

#endif
