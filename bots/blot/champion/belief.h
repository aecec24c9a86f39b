/* How well a deal explains what the other seats have said. */

#ifndef BELIEF_H
#define BELIEF_H

#include "question.h"
#include "unseen.h"

/* What a hand is worth with a strain, on the scale of its trumps' points: about 4 for each level
   that it should bid. */
double worth_of(Cards hand, int strain);

/* A deal of the unseen cards that explains well what was said: of some that agree with the play one
   is drawn by how likely its hands were to bid and announce as their seats did. `hands` are what
   the seats hold now and `dealt` what they were dealt, both by name. On a table with open hands
   it is the deal itself. */
void deal_likely(const Question *question, const Unseen *unseen, const Order *order, Chance *chance,
                 Cards hands[4], Cards dealt[4]);

#endif
