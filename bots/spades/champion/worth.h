/* What scores are worth: the chance to win the game from there. */

#ifndef WORTH_H
#define WORTH_H

#include "round.h"

enum { NO_LIMIT = -1000000 };

/* Where a game stands before a round, the own side first. */
typedef struct {
    int scores[2], bags[2];
    int goal, lose;
} Standing;

/* Work out the chances for games to this goal, by playing rounds and looking ahead from every
   score. */
void prepare_worth(int goal, int lose);

/* The chance that the own side wins if the round that is played comes to this. */
double worth_after(const Standing *before, Made ours, Made theirs);

#endif
