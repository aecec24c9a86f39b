/* What to answer: every candidate is played out from the same deals, and the best mean wins. */

#ifndef SEARCH_H
#define SEARCH_H

#include "question.h"

int choose_bid(const Question *question);
int choose_card(const Question *question);

#endif
