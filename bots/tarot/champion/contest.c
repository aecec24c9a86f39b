#include "contest.h"

#include <math.h>

Contest begin_contest(int count, double seconds)
{
    Contest c = {.count = count, .left = count, .timer = begin_timer(seconds)};
    for (int i = 0; i < count; i++)
        c.alive[i] = 1;
    return c;
}

int goes_on(Contest *c)
{
    for (int i = 0; i < c->count; i++)
        c->batch[i] = 0;
    /* Where there is no time at all, there is one batch. */
    return !c->batches || (c->left > 1 && share_used(&c->timer) < 1);
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
