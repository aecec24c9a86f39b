/* The cards that a seat does not see, and what it can be sure of about them. */

#ifndef HIDDEN_H
#define HIDDEN_H

#include "question.h"

/* The place of the discard under petite and garde, and of the dog under sans and contre. */
enum { ASIDE = SEATS, PLACES };

/* The hidden cards by place. */
typedef struct {
    Cards at[PLACES];
} Deal;

/* Where the hidden cards can lie: `may[place]` as far as is certain, `room[place]` how many. */
typedef struct {
    Cards may[PLACES];
    int room[PLACES];
} Hidden;

/* Draw every conclusion that the question allows. */
Hidden conclude(const Question *q);

#endif
