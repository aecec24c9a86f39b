/* Deals of the hidden cards as they may lie. */

#ifndef DEALS_H
#define DEALS_H

#include "hidden.h"

/* Deals that agree with a question. What is certain no deal breaks; what is likely, such as that
   a bidder has the cards for its bid, makes a deal come up more often. `up_to` are sums of weights. */
typedef struct {
    int count;
    Deal *deals;
    double *up_to;
} Pool;

/* Make a pool of this size, which is kept until the next one is made. */
const Pool *deal_pool(const Question *q, int count);

/* One of the deals of a pool, by their weights. */
const Deal *draw(const Pool *pool);

/* Give the hidden hands of a deal to the seats, and its own to the one that is asked. */
void deal_out(Position *p, const Question *q, const Deal *deal);

/* A question's table (`table_of`) with hidden cards dealt, and those aside counted. */
Position dealt(const Position *table, const Question *q, const Deal *deal);

/* A number from 0 up to 1, without 1. */
double chance(void);

#endif
