/* The rule player, who plays games out. */
#ifndef RULES_H
#define RULES_H

#include "native/durak.h"

/* What a simple player does: attacks with the lowest card, beats with the lowest that will do, takes
 * where that would cost a good trump while there is much to draw, and throws in low cards. */
int rule_action(const State *s);

/* The most points that a seat can score. */
int most_points(const State *s);

/* Plays a position out; `values` are the shares of the most points that there can be, by seat. */
void play_out(State *s, double values[MOST_SEATS]);

#endif
