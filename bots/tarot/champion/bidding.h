/* Bids, discards and poignées: every answer is judged by deals played out from it. */

#ifndef BIDDING_H
#define BIDDING_H

#include "question.h"

/* Each takes about so many seconds of this process's time; less where the answer is plain. */
int choose_bid(const Question *q, double seconds);
Cards choose_discard(const Question *q, double seconds);

/* What to show with this first card of a deal, if anything. */
Cards choose_poignee(const Question *q, int card);

#endif
