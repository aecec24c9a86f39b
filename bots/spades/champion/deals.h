/* Deals of the cards that a seat can't see, as they may lie. */

#ifndef DEALS_H
#define DEALS_H

#include "chance.h"
#include "question.h"

enum { MOST_UNSEEN = 39 };

/* A deal: who holds which card, what each hand was at first, and how well that goes with what the
   others have bid and played. */
typedef struct {
    int card[MOST_UNSEEN], seat[MOST_UNSEEN];
    Cards dealt[4];
    double fit_of_bids[4], fit_of_play;
} Deal;

/* A walk through the deals that voids allow, on which likely ones come up more often. */
typedef struct {
    const Question *question;
    int unseen;
    Deal deal;
    Chance chance;
} Deals;

/* Begin with any deal. The question stays where it is. */
void begin_deals(Deals *deals, const Question *question);

/* Walk on, and give the hands of all four. */
void next_deal(Deals *deals, Cards hands[4]);

#endif
