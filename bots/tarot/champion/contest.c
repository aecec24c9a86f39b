#include "contest.h"

#include <math.h>
#include <time.h>

static double seconds_of(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

Contest begin_contest(int count, double seconds)
{
    Contest c = {.count = count, .left = count};
    for (int i = 0; i < count; i++)
        c.alive[i] = 1;
    c.computed_until = seconds_of(CLOCK_PROCESS_CPUTIME_ID) + seconds;
    c.wall_until = seconds_of(CLOCK_MONOTONIC) + 1.8 * seconds;
    return c;
}

int goes_on(Contest *c)
{
    for (int i = 0; i < c->count; i++)
        c->batch[i] = 0;
    if (!c->batches)
        return 1;                       /* where there is no time at all, there is one batch */
    return c->left > 1 && seconds_of(CLOCK_PROCESS_CPUTIME_ID) < c->computed_until
        && seconds_of(CLOCK_MONOTONIC) < c->wall_until;
}

void end_batch(Contest *c)
{
    enum { ENOUGH = 8 };                /* batches that tell how far chance goes */
    int best;
    c->batches++;
    for (int i = 0; i < c->count; i++)
        c->sum[i] += c->batch[i];
    best = winner(c);
    for (int i = 0; i < c->count; i++) {
        double mean = (c->sum[best] - c->sum[i]) / c->batches;
        double off = c->batch[best] - c->batch[i] - mean;
        if (!c->alive[i] || i == best)
            continue;
        c->squares[i] += off * off;
        /* Behind by four standard errors of the difference, as its batches scatter. */
        if (c->batches >= ENOUGH && mean * c->batches > 4 * sqrt(c->squares[i])) {
            c->alive[i] = 0;
            c->left--;
        }
    }
}

int winner(const Contest *c)
{
    int best = -1;
    for (int i = 0; i < c->count; i++)
        if (c->alive[i] && (best < 0 || c->sum[i] > c->sum[best]))
            best = i;
    return best;
}
