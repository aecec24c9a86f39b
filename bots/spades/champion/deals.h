/* Deals of the cards that a seat cannot see: a walk through all that voids allow, on which those
 * that explain well what the others have bid and played come up more often. */
#ifndef DEALS_H
#define DEALS_H

#include "position.h"

/* A deal: the place of each unseen card, what each hand was at first, and how well that goes with
 * what the others have bid and played, as log likelihoods. */
typedef struct {
    uint8_t places[MOST_UNSEEN];
    Cards dealt[4];
    double fit_of_bid[4], fit_of_play[4];
} Deal;

typedef struct {
    const Position *position;
    Unseen unseen;          /* the places are the seats after the own one */
    Deal deal;
    Round before[CARDS];    /* each card played; the hands are tried */
    uint64_t random;
} Deals;

/* Begins with any deal. The position stays where it is. */
void begin_deals(Deals *deals, const Position *position);

/* Walks on, and gives the hands of all four. */
void next_deal(Deals *deals, Cards hands[4]);

#endif
