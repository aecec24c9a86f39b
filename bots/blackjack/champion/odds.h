/* Exact chances: sums over everything that can still be dealt, card by card. */

#ifndef ODDS_H
#define ODDS_H

#include "shoe.h"

/* A total with aces as 1, and whether there is an ace that may count 11. */
typedef struct {
    int total;
    bool ace;
} Hand;

Hand with(Hand hand, int worth);
int score_of(Hand hand);

/* What a seat owns, and when: `stake` can't be taken back, `chips` can still be put on top. */
typedef struct {
    int stake, chips;
    int hand;               /* its number in the round */
    bool first_round;
} Purse;

typedef struct {
    bool draws;             /* another card is better than none */
    double chance;          /* to win without one */
    int stake;              /* the best one without one */
    double value;           /* of the better of the two */
} Advice;

/* What to do with a hand against the dealer's open card. */
Advice advise(Hand hand, int open, const Coming *unseen, const Purse *purse);

#endif
