/* Play by rule: what a bid, a discard and a card are for a player that does not search.

   It is how the others are expected to play, and how deals are played out. It is the bot
   tarot-points, answer for answer. */

#ifndef RULES_H
#define RULES_H

#include "position.h"

/* What a hand promises: bouts, length in trumps, honours, and suits to be trumped. */
int hand_value(Cards hand);

/* The contract that a hand of such a value is worth; PASS where it is worth none. */
int contract_worth(int value);

/* Six of these 30 cards: the shortest suits without a king are emptied, their honours first.
   `may_go` are the cards that may be put away. */
Cards discard_by_rule(Cards hand, Cards may_go);

/* The cards that rules allow to be put away. */
Cards may_be_put_away(Cards hand);

/* The lowest trumps that a double or a single poignée takes, with the Excuse where it must be among
   them; none where there are too few. */
Cards poignee_by_rule(Cards hand);

/* The card that the seat to act plays. */
int card_by_rule(const Position *p);

/* Play all remaining cards. */
void play_out(Position *p);

#endif
