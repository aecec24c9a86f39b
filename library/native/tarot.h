/* A state of French tarot. Cards are numbered 1C, 2C ... KC, 1D ... KS, A1 ... A21, EX. */
#ifndef TAROT_H
#define TAROT_H

#include "game.h"

enum { DEAL, BID, DISCARD, PLAY };
enum { NO_BID, PASSED, PETITE, GARDE, SANS, CONTRE };
enum { CARDS = 78, SUIT = 14, TRUMPS = 56 /* the first of them */ };
enum { TWENTY_ONE = 76, EXCUSE = 77 };
enum { PASS = CARDS, CHELEM = 5 /* from `pass` to `pass!` */ };
enum { SHOW = PASS + 2 * CHELEM, ACTIONS = SHOW + 4 };
enum { TRICKS = 24, DOG = 6, LAST_TRICK = 3 * (TRICKS - 1) };

/* Trumps as bits. */
enum { PETIT_BIT = 1, EXCUSE_BIT = 1 << 21, BOUTS = PETIT_BIT | 1 << 20 | EXCUSE_BIT };

typedef struct {
    int32_t open_hands, deals, petite, chelem_by_any, no_trump_discards, small_poignees,
        petit_sec_ignored, redeals, dog_hidden, excuse_to_winner, more_needed, halves_kept;
} Options;

typedef struct {
    Cards suits;  /* bit 0 is 1C */
    Cards trumps; /* bit 0 is A1, bit 21 the Excuse */
} Hand;

typedef struct {
    Table table;
    int32_t number, again, dealer, deals_played, scores[3], won[3];
    /* From here on all is zero before a deal. */
    Hand hands[3], dog, discard;
    Hand picked; /* for an answer that is not complete */
    Cards shown[3];
    uint8_t order[3 * TRICKS], by[3 * TRICKS]; /* the cards played, and the seats that did */
    uint8_t half_points[3];  /* in the tricks that each seat took, without the Excuse */
    int8_t took[3], bids[3];
    int8_t chelem;           /* a bit for each seat that announced it */
    int8_t phase, bidders, taker, laid, played;
    int8_t size;             /* of the poignée that is being picked; 0 for none */
    int8_t best, winner;     /* the best card of the trick so far, and who laid it */
    int8_t bouts;            /* those that the taker took in tricks, without the Excuse */
    int8_t excuse;           /* the half points that the taker got for the played Excuse */
    int8_t poignees;         /* what all that were shown are worth */
} State;

static const int8_t SIZES[4] = {10, 13, 15, 18}; /* of poignées, as the actions from SHOW on */
static const int8_t MULTIPLIERS[4] = {1, 2, 4, 6};
static const int8_t NEEDED[4] = {56, 51, 41, 36};
static const Cards KINGS = 0x80020008002000;

static inline const Options *options_of(const State *s) { return (const Options *)s->table.options; }

static inline int first_seat(const State *s) { return (s->dealer + 1) % 3; }

static inline Cards suit_of(int card) { return (Cards)0x3FFF << card / SUIT * SUIT; }

/* All bits above one. */
static inline Cards above(int place) { return ~(((Cards)2 << place) - 1); }

static inline int size_of(Hand hand) { return count(hand.suits) + count(hand.trumps); }

static inline int is_empty(Hand hand) { return !(hand.suits | hand.trumps); }

static inline Hand one_card(int card)
{
    return card < TRUMPS ? (Hand){bit(card), 0} : (Hand){0, bit(card - TRUMPS)};
}

static inline Hand with(Hand hand, Hand more)
{
    return (Hand){hand.suits | more.suits, hand.trumps | more.trumps};
}

static inline Hand without(Hand hand, Hand less)
{
    return (Hand){hand.suits & ~less.suits, hand.trumps & ~less.trumps};
}

static inline int has_card(Hand hand, int card)
{
    return (card < TRUMPS ? hand.suits >> card : hand.trumps >> (card - TRUMPS)) & 1;
}

/* Takes the card of the lowest number out of a hand that has one. */
static inline int take_card(Hand *hand)
{
    return hand->suits ? take_lowest(&hand->suits) : TRUMPS + take_lowest(&hand->trumps);
}

/* The trumps without the Excuse. */
static inline Cards trumps_of(Hand hand) { return hand.trumps & ~(Cards)EXCUSE_BIT; }

static inline int half_points(int card)
{
    static const int8_t by_rank[SUIT] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3, 5, 7, 9};
    if (card < TRUMPS)
        return by_rank[card % SUIT];
    return bit(card - TRUMPS) & BOUTS ? 9 : 1;
}

/* The half points of some cards. */
static inline int half_points_of(Hand hand)
{
    return size_of(hand) + 2 * count(hand.suits & KINGS >> 3) + 4 * count(hand.suits & KINGS >> 2)
        + 6 * count(hand.suits & KINGS >> 1) + 8 * count(hand.suits & KINGS)
        + 8 * count(hand.trumps & BOUTS);
}

/* Whether the contract, once it is known, lets the taker take the dog. */
static inline int takes_dog(const State *s) { return s->phase > BID && s->bids[s->taker] <= GARDE; }

/* The highest bid so far. */
static inline int highest_bid(const State *s)
{
    int highest = NO_BID;
    for (int seat = 0; seat < 3; seat++)
        if (s->bids[seat] > highest)
            highest = s->bids[seat];
    return highest;
}

/* What a taker with this hand may put away (rule b.3): trumps only if all the suits must go. */
static inline Hand may_be_put_away(Hand hand)
{
    Cards plain = hand.suits & ~KINGS;
    return (Hand){plain, count(plain) < DOG ? hand.trumps & ~(Cards)BOUTS : 0};
}

/* The cards that the seat to act may play (rule b.5). */
static inline Hand playable(const State *s)
{
    Hand hand = s->hands[s->table.to_act];
    const uint8_t *led = s->order + s->played - s->laid;
    Cards trumps = trumps_of(hand), excuse = hand.trumps & EXCUSE_BIT, over;
    if (!s->laid || s->best == EXCUSE)
        return hand;
    led += *led == EXCUSE;
    if (*led < TRUMPS && hand.suits & suit_of(*led))
        return (Hand){hand.suits & suit_of(*led), excuse};
    if (!trumps)
        return hand;
    over = s->best < TRUMPS ? trumps : trumps & above(s->best - TRUMPS);
    return (Hand){0, (over ? over : trumps) | excuse};
}

#endif
