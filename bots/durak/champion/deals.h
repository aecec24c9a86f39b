/* Deals of the cards that a seat can't see: a walk through all that there are, on which those come
 * up more often that go well with what the others have played. */
#ifndef DEALS_H
#define DEALS_H

#include "native/bot.h"
#include "native/durak.h"

enum { IN_TALON = MOST_SEATS, FIRST_STEPS = 400 };

/* How much more likely each unseen card is in a place, a hand or the talon, than by chance. */
typedef struct {
    Cards unseen;
    float weights[MOST_SEATS + 1][CARDS];
} Knowledge;

typedef struct {
    State state; /* with some deal, as it was read */
    Knowledge knowledge;
    Cards known[MOST_SEATS]; /* of each hand */
    int unseen;
    uint8_t card[CARDS], place[CARDS]; /* each unseen card and where it lies */
    uint64_t random;
} Deals;

/* Reads a question, and begins with any deal; returns 0 if it can't be read. */
int begin_deals(Deals *deals, const Question *question);

/* Walks on, and fills in the hands and the talon. */
void next_deal(Deals *deals, State *s);

#endif
