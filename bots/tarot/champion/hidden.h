/* The cards that a seat does not see: where they can lie, and deals of them as they may lie. */

#ifndef HIDDEN_H
#define HIDDEN_H

#include "question.h"

/* The place of the discard under petite and garde, and of the dog under sans and contre. */
enum { ASIDE = SEATS, PLACES };

/* The hidden cards by place. */
typedef struct {
    Cards at[PLACES];
} Deal;

/* Deals that agree with a question. What is certain no deal breaks; what is likely, such as that
   who bid has the cards for it, makes a deal come up more often. */
typedef struct {
    int count;
    Deal *deals;
    double *up_to;          /* the sum of all weights up to this deal's */
} Pool;

/* Where the hidden cards can lie: `may[place]` as far as is certain, `room[place]` how many. */
typedef struct {
    Cards may[PLACES];
    int room[PLACES];
} Hidden;

/* Draw every conclusion that the question allows. */
Hidden conclude(const Question *q);

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
