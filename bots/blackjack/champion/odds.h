/* Exact chances: sums over everything that can still be dealt, card by card. */

#ifndef ODDS_H
#define ODDS_H

#include "shoe.h"

enum { DEALER_STANDS = 17, HIGHEST = 21 };

/* A total with aces as 1, and whether there is an ace that may count 11. */
typedef struct {
    int total;
    bool ace;
} Hand;

Hand with(Hand hand, int worth);
int score_of(Hand hand);

/* What chips are for: to come before the others at the end of a leg (worth.h), to be ahead of one
   rival at the end of this round (rival.h), or to be many on average. */
typedef enum { LEG, AHEAD, CHIPS } Aim;

enum { UNKNOWN = -1 };

/* What a seat owns, and when: `stake` can't be taken back, `chips` can still be put on top. */
typedef struct {
    int stake, chips;
    int hand;               /* its number in the round */
    bool first_round;
    Aim aim;
    int rival;              /* the score of the one rival's hand, UNKNOWN while it draws */
} Purse;

typedef struct {
    bool draws;             /* another card is better than none */
    double chance;          /* to win without one */
    int stake;              /* the best one without one */
    double value;           /* of the better of the two */
} Advice;

/* The chance that a score beats the dealer's: equal scores lose. */
double chance_to_win(int score, int open, const Coming *unseen);

/* What to do with a hand against the dealer's open card. */
Advice advise(Hand hand, int open, const Coming *unseen, const Purse *purse);

/* The chips that each answer wins on average for each one at stake, with no raise after it. */
typedef struct {
    double stand, hit, doubled;
} Scores;

Scores scores_of(Hand hand, int open, const Coming *unseen);

#endif
