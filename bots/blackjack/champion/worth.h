/* What it is worth to own chips with some of a leg still to come.

   A leg is won by coming before the others [Browne 1999], so in the end chips are worth the share of rivals
   that hold less; and a little for the contest's mean, which large fortunes make. Before the end
   they are worth what the best bets make of them: that is worked out backwards, hand by hand. */

#ifndef WORTH_H
#define WORTH_H

#include <stdbool.h>

enum { HANDS = 5, TYPES = 9 };      /* in a round, and of hands by their chances */

/* The chance to win when all cards wanted are drawn, with four seats, and how many hands have it. */
extern const double CHANCES[TYPES], SHARES[TYPES];

/* Work it out, once. */
void prepare_worth(void);

/* The worth of these chips after hand number `hand` of a round, from 1 on: of the leg's first
   round, or of one that nobody says the number of. */
double worth_after(int hand, bool first_round, double chips);

#endif
