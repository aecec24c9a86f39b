/* What bids and cards played tell of the hands that can't be seen. */

#ifndef EVIDENCE_H
#define EVIDENCE_H

#include "question.h"

/* How well the hand that a seat was dealt goes with its bid, as a log likelihood. */
double fit_of_bid(const Question *question, int seat, Cards dealt);

/* How well the hands that all were dealt go with the cards the others have played: likewise. */
double fit_of_play(const Question *question, const Cards dealt[4]);

#endif
