/* What a hand is worth, and what its holder can be expected to bid. */

#ifndef HANDS_H
#define HANDS_H

#include "position.h"

/* Work out the tables that the other functions read. */
void prepare_hands(void);

/* The chance that a hand dealt takes no trick, as a logit. */
double nil_logit(Cards hand);

/* What a seat with a hand bids but for nil, before it is rounded. */
double fair_bid(const State *s, Cards hand, int seat);

/* The chance that a seat with a hand bids nil, as a logit. */
double nil_bid_logit(const State *s, Cards hand, int seat);

/* The bid of a seat that has not bid yet, as most programs and people would bid. */
int likely_bid(const State *s, Cards hand, int seat);

#endif
