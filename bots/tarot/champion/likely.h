/* Which deals make sense: what is likely of the hidden cards, but not certain. */

#ifndef LIKELY_H
#define LIKELY_H

#include "hidden.h"

/* How well all bids agree with a deal: a weight, the larger the better. */
double bids_likelihood(const Question *q, const Deal *deal);

#endif
