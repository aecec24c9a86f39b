/* The rule player, who plays games out. */
#ifndef RULES_H
#define RULES_H

#include "native/durak.h"

/* The action of a simple player: attacks with the lowest card; beats with the lowest, if it can
 * with one of a rank on the table; throws in plain cards up to the jack, later any plain card. */
int rule_action(const State *s);

/* The most points that a seat can score. */
int most_points(const State *s);

/* Plays a position out; `values` are the shares of the most points, by seat. */
void play_out(State *s, double values[MOST_SEATS]);

#endif
