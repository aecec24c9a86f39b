/* What to answer: bids are tried on deals that rule players play out, cards by a search tree. */
#ifndef SEARCH_H
#define SEARCH_H

#include "position.h"

enum { MOST_CANDIDATES = 15 };

/* The action with the best chance to win the game. */
int choose(const Position *position);

/* Lists the legal actions, and by how many points each is expected to bring the own side ahead in
 * this round, a bag at what it costs in the mean; returns their number. */
int evaluate(const Position *position, uint16_t *actions, double *scores);

#endif
