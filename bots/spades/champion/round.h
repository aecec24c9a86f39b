/* A round of spades: the hands, the bids, and the cards played; what may be played; the points. */

#ifndef ROUND_H
#define ROUND_H

#include "cards.h"

enum { NO_BID = -1, NIL = 0 };

/* Hands are those of one possible deal. `lacks` are the cards that everybody knows a seat can't
   hold; `trick[i]` is what the seat i places after the leader has played, `laid` how many have. */
typedef struct {
    Cards hands[4], lacks[4], played;
    int bids[4], blind[4], took[4];
    int leader, turn, laid, trick[4];
    int best, winner;       /* the card that is winning the trick, and its seat */
} Round;

/* What a side has made of a round. */
typedef struct {
    int points, bags;       /* without the penalty for ten bags */
} Made;

static inline int partner_of(int seat) { return (seat + 2) & 3; }
static inline int next_of(int seat) { return (seat + 1) & 3; }
static inline int tries_nil(const Round *r, int seat) { return !r->bids[seat] && !r->took[seat]; }

/* The cards that the seat to act may play. */
Cards legal_cards(const Round *r);

/* Whether it is all the same which of two of its cards the seat to act plays. */
int are_equals(const Round *r, int a, int b);

/* Play a card of the seat to act. A full trick goes to its winner, who leads the next. */
void play_card(Round *r, int card);

/* The tricks that the side of a seat still needs for its contract; a failed nil's don't help. */
int missing(const Round *r, int seat);

/* What the side of a seat has made, once all cards are played. */
Made made_by(const Round *r, int seat);

#endif
