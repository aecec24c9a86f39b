/* The cards that a seat has not seen: who can't hold which, and deals of them that could be.

   Whoever doesn't follow has none of the suit. Whoever doesn't trump then has no trump, and whoever
   plays a trump under another that it had to beat has no higher one; but nobody must trump while
   the partner's card wins. Cards that were shown are where they were shown. If no deal agrees
   with all that, the table plays by other rules, and only what holds by all of them is kept. */

#ifndef UNSEEN_H
#define UNSEEN_H

#include "chance.h"
#include "question.h"

typedef struct {
    int seat;
    Cards own;                      /* as all cards here: places in play, names in the auction */
    int others[3], room[3];         /* the other seats, and how many cards each holds */
    int count;                      /* of unseen cards */
    uint8_t card[32], may[32];      /* each one, and which of the others may hold it, a bit each */
    double ways[33][9][9];          /* deals of the cards from one on, by room of the first two */
} Unseen;

/* Find out about the unseen cards of a question; `order` is NULL in the auction. */
void look(Unseen *unseen, const Question *question, const Order *order);

/* One deal of them, all equally likely: four hands, by seat. */
void deal_unseen(const Unseen *unseen, Chance *chance, Cards hands[4]);

#endif
