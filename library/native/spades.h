/* A state of spades. Cards are numbered 2C, 3C ... AC, 2D ... AS. */
#ifndef SPADES_H
#define SPADES_H

#include "game.h"

enum { DRAW, DEAL, BLIND, BID, PASS, PLAY };
enum { CARDS = 52, BIDS = CARDS, LOOK = BIDS + 14, BLIND_NIL, ACTIONS };
enum { NOT_YET = -1, TRICKS = 13, TRUMPS = 39 /* the two of spades */ };

typedef struct {
    int32_t open_hands, goal, exceeded, lose, max_rounds, bag_penalty, failed_nil, side_cap,
        double_nil, blind_nil, exchange, drawn_dealer, two_of_clubs;
} Options;

enum { BAGS, CONTRACT, BOTH };         /* failed_nil */
enum { OFF, BEHIND_100, ANY };         /* blind_nil */

typedef struct {
    Table table;
    Cards hands[4], gave[4];
    int32_t round, dealer, scores[2], bags[2], won[2];
    int8_t phase, leader, laid, played, broken, blind, best, blinds, blind_order[4];
    int8_t bids[4], took[4], queue[8], queued, passing;
    uint8_t order[CARDS];              /* the cards played in this round */
    uint8_t by[CARDS];                 /* and the seats that played them */
} State;

static const char RANKS[] = "23456789TJQKA";

static inline const Options *options_of(const State *s) { return (const Options *)s->table.options; }

static inline Cards suit_of(int card) { return (Cards)0x1FFF << card / 13 * 13; }

static inline int first_seat(const State *s) { return (s->dealer + 1) % 4; }

/* The cards that the seat to act may play. */
static inline Cards playable(const State *s)
{
    Cards hand = s->hands[s->table.to_act], cards = hand;
    if (s->laid)
        cards &= suit_of(s->order[s->played - s->laid]);
    else if (!s->broken)
        cards = !s->played && options_of(s)->two_of_clubs ? 1 : hand & (bit(TRUMPS) - 1);
    return cards ? cards : hand;
}

#endif
