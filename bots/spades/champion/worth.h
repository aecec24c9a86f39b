/* What scores are worth: the chance to win the game from there. */
#ifndef WORTH_H
#define WORTH_H

#include "position.h"

/* Works out the chances for games to this goal, 0 being no limit for `lose`, by playing rounds and
 * looking ahead from every score. */
void prepare_worth(int goal, int lose);

/* The chance that a side wins from here, between two rounds or at the end. */
double worth_of(const State *s, int side);

#endif
