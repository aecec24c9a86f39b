/* What a deal with open hands comes to when everybody plays for points: alpha-beta search
   [Knuth 1975].

   Values are the points that are still to come to side 0 (seats 0 and 2), the trick on the table
   included, with 90 more for all eight tricks and 90 less for none of them, since those count 252
   for the side that takes them. What a deal scores never falls when the points rise, so a side that
   plays for points plays for the score.

   A value may be wrong by a point or two: of cards next to each other that differ by one point
   only one is tried, and in the first two tricks followers choose between two cards. On 60 deals
   that made 2.8 points (root of the mean square) and a third of the work. */

#ifndef SOLVER_H
#define SOLVER_H

#include "cards.h"

enum { EITHER = 2, NOBODY = 3 };

typedef struct {
    Cards hands[4];     /* by seat, in places */
    int seat;           /* whose turn it is */
    int sweeper;        /* the side that took all tricks so far, 0 or 1, or EITHER or NOBODY */
    Trick trick;
} Position;

/* Forget what is known: another deal, or another contract, comes next. */
void new_deal(const Order *order);

/* The value of a position of this deal where somebody leads; quicker with a good guess. */
int solve(const Position *position, int guess);

/* The value once a card was played. */
int solve_after(const Position *position, int card, int guess);

#endif
