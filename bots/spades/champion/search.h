/* What to answer: every candidate is played out from the same deals, and the best mean wins. */
#ifndef SEARCH_H
#define SEARCH_H

#include "position.h"

int choose_bid(const Position *position);
int choose_card(const Position *position);

#endif
