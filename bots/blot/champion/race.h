/* Several answers are tried on the same deals, and those that fall behind by more than chance are
   left out; the time that there is for an answer bounds it all. */

#ifndef RACE_H
#define RACE_H

#include <stdbool.h>

enum { RUNNERS = 8, MOST_DEALS = 480 };

typedef struct {
    int runners, most_deals, deals;
    int best;                           /* the best runner when they were last compared */
    bool out[RUNNERS];                  /* those that have been left out */
    float values[RUNNERS][MOST_DEALS];
} Race;

/* Start the clock of an answer. */
void start_clock(void);
bool out_of_time(void);

/* Begin with this number of runners, for at most this number of deals. */
void line_up(Race *race, int runners, int most_deals);

/* Every runner that is still in has its value of deal number `deals` in `values`: count the deal,
   and find out now and then which are out. False when it is decided or there is no more time. */
bool next_deal(Race *race);

/* The best one by all deals that were counted, one at least. */
int winner_of(Race *race);

#endif
