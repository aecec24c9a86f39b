/* Discards and poignées: what does best in deals that are played out from it. */

#ifndef DISCARDS_H
#define DISCARDS_H

#include "question.h"

/* What to put away, within about this number of seconds; less where the answer is plain. */
Cards choose_discard(const Question *q, double seconds);

/* What to show with this first card of a deal, if anything. */
Cards choose_poignee(const Question *q, int card);

#endif
