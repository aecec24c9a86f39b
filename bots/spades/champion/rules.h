/* A player by rules: quick, and what every seat is taken for when a round is played out. */

#ifndef RULES_H
#define RULES_H

#include "position.h"

/* Choose a card for the seat to act. It looks at that seat's own hand alone. */
int rule_card(const Round *round);

/* Play a round to its end. */
void play_out(Round *round);

#endif
