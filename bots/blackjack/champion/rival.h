/* What chips are worth in a game of one round against one other seat: the chance to end it with
   more than that seat has. What it stakes is not told, so its chips are a belief: they follow from
   the hands it won and lost, by a model of how it stakes. */

#ifndef RIVAL_H
#define RIVAL_H

#include <stdbool.h>

/* Begins a round in which the other seat has so many chips. */
void begin_rival(double chips);

/* What is known of its chips after a hand that it won or lost, where its chance was this. */
void rival_played(double chance, bool won);

/* Prepares `chance_ahead` for hand number `hand`, in which it has this chance to win. */
void prepare_rival(int hand, double chance);

/* The chance to end the round ahead with so many chips after this hand, which the rival wins or
   loses. */
double chance_ahead(double chips, bool rival_wins);

#endif
