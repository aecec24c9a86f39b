/* Deals of the cards that a seat can't see: a walk through all that there are, on which those come
 * up more often that go well with what the others have played. */
#ifndef DEALS_H
#define DEALS_H

#include "native/bot.h"
#include "native/durak.h"

/* How much more likely a card is in a hand after what its seat has played. */
typedef struct {
    Cards unseen;
    float weights[MOST_SEATS + 1][CARDS]; /* of the talon last, where all are 1 */
} Knowledge;

enum { IN_TALON = MOST_SEATS };

typedef struct {
    State state;
    Knowledge knowledge;
    int unseen;
    uint8_t card[CARDS], place[CARDS]; /* of each unseen card: its seat, or IN_TALON */
    Cards known[MOST_SEATS];
    uint64_t random;
} Deals;

/* Reads a question, and begins with any deal; returns 0 if it can't be read. */
int begin_deals(Deals *deals, const Question *question);

/* Walks on, and fills in the hands and the talon. */
void next_deal(Deals *deals, State *s);

#endif
