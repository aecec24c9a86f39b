/* Several answers tried on the same deals, until the time is up or one is clearly the best. */

#ifndef CONTEST_H
#define CONTEST_H

#include "timer.h"

enum { MOST_CHOICES = 170, BATCH = 32 };

/* `sum` is what each has scored in all trials, `batch` what in the last few of them. One that
   falls behind by more than chance is no longer `alive`; `left` are. */
typedef struct {
    int count, left, batches, alive[MOST_CHOICES], batch[MOST_CHOICES];
    double sum[MOST_CHOICES], squares[MOST_CHOICES];
    Timer timer;
} Contest;

/* Begin with `count` answers, for this number of seconds. */
Contest begin_contest(int count, double seconds);

/* Say whether another batch is to be tried, and clear `batch` for it. */
int goes_on(Contest *c);

/* Count a batch of BATCH trials. */
void end_batch(Contest *c);

/* The one that has scored most. */
int winner(const Contest *c);

#endif
