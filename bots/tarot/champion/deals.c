#include "deals.h"

#include "likely.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

static uint64_t state = 0x9E3779B97F4A7C15;

static inline uint64_t next_random(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

double chance(void)
{
    return (next_random() >> 11) * 0x1p-53;
}

/* Deals, each as likely as any.

   Of the three places at most, cards that may lie in the same ones are a kind. How many of each
   kind go where is drawn first, by the number of deals that it stands for; which ones they are is
   a shuffle. So no deal is ever begun that can't be finished, and none is favoured. */

enum { KINDS = 8, MOST_PLANS = 19 * 19 * 19 };     /* of three kinds that share 54 cards */

/* `place` are the two other seats and ASIDE; `kind[k]` the cards that may lie in the places of the
   bits of k. A plan says how many of the kinds 3, 5 and 6 go to the first of their two places. */
typedef struct {
    int place[3], room[3], size[KINDS];
    Cards kind[KINDS];
    int plans, plan[MOST_PLANS][3];
    double up_to[MOST_PLANS];
} Dealer;

static double ways(int of, int first)
{
    return exp(lgamma(of + 1) - lgamma(first + 1) - lgamma(of - first + 1));
}

static void plan_all(Dealer *d)
{
    double sum = 0;
    d->plans = 0;
    for (int x = 0; x <= d->size[3]; x++)
        for (int y = 0; y <= d->size[5]; y++)
            for (int z = 0; z <= d->size[6]; z++) {
                int a = d->room[0] - x - y;
                int b = d->room[1] - (d->size[3] - x) - z;
                int c = d->room[2] - (d->size[5] - y) - (d->size[6] - z);
                if (a < 0 || b < 0 || c < 0)
                    continue;
                sum += ways(d->size[3], x) * ways(d->size[5], y) * ways(d->size[6], z)
                    * ways(a + b + c, a) * ways(b + c, b);
                d->up_to[d->plans] = sum;
                d->plan[d->plans][0] = x;
                d->plan[d->plans][1] = y;
                d->plan[d->plans++][2] = z;
            }
}

static void begin_dealing(Dealer *d, const Question *q, const Hidden *hidden)
{
    int found = 0;
    for (int seat = 0; seat < SEATS; seat++)
        if (seat != q->seat)
            d->place[found++] = seat;
    d->place[2] = ASIDE;
    for (int i = 0; i < 3; i++)
        d->room[i] = hidden->room[d->place[i]];
    for (int k = 1; k < KINDS; k++) {
        Cards cards = ALL_CARDS;
        for (int i = 0; i < 3; i++) {
            Cards may = hidden->may[d->place[i]];
            cards &= k >> i & 1 ? may : ~may;
        }
        d->kind[k] = cards;
        d->size[k] = size(cards);
    }
    for (int i = 0; i < 3; i++)
        d->room[i] -= d->size[1 << i];
    plan_all(d);
}

/* The first of the weights that sum up to more than a share of all of them. */
static int drawn(const double *up_to, int count)
{
    double wanted = chance() * up_to[count - 1];
    int low = 0, high = count - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (up_to[middle] > wanted)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Take some of these cards at random out of them. */
static Cards taken(Cards *from, int count)
{
    int cards[PACK], left = 0, card;
    Cards chosen = 0;
    EACH (card, *from)
        cards[left++] = card;
    for (; count; count--) {
        int at = (int)((next_random() >> 32) * (uint64_t)left >> 32);
        chosen |= CARD(cards[at]);
        cards[at] = cards[--left];
    }
    *from &= ~chosen;
    return chosen;
}

static Deal deal_once(const Dealer *d)
{
    const int *plan = d->plan[drawn(d->up_to, d->plans)];
    Cards at[3] = {d->kind[1], d->kind[2], d->kind[4]};
    Cards both = d->kind[3], outer = d->kind[5], inner = d->kind[6], any = d->kind[7];
    Deal deal = {.at = {0}};
    at[0] |= taken(&both, plan[0]) | taken(&outer, plan[1]);
    at[1] |= both | taken(&inner, plan[2]);
    at[2] |= outer | inner;
    at[0] |= taken(&any, d->room[0] - plan[0] - plan[1]);
    at[1] |= taken(&any, d->room[1] - (d->size[3] - plan[0]) - plan[2]);
    at[2] |= any;
    for (int i = 0; i < 3; i++)
        deal.at[d->place[i]] = at[i];
    return deal;
}

const Pool *deal_pool(const Question *q, int count)
{
    static Dealer dealer;
    static Pool pool;
    Hidden hidden = conclude(q);
    double sum = 0;
    begin_dealing(&dealer, q, &hidden);
    pool.count = count;
    pool.deals = realloc(pool.deals, count * sizeof *pool.deals);
    pool.up_to = realloc(pool.up_to, count * sizeof *pool.up_to);
    for (int i = 0; i < count; i++) {
        pool.deals[i] = deal_once(&dealer);
        sum += bids_likelihood(q, &pool.deals[i]);
        pool.up_to[i] = sum;
    }
    return &pool;
}

const Deal *draw(const Pool *pool)
{
    return &pool->deals[drawn(pool->up_to, pool->count)];
}

void deal_out(Position *p, const Question *q, const Deal *deal)
{
    for (int seat = 0; seat < SEATS; seat++)
        p->hands[seat] = seat == q->seat ? q->hand : deal->at[seat];
}

Position dealt(const Position *table, const Question *q, const Deal *deal)
{
    Position p = *table;
    deal_out(&p, q, deal);
    if (takes_dog(q->contract))
        p.discard = q->discard | deal->at[ASIDE];
    if (q->contract != CONTRE)
        count_aside(&p, q->discard | deal->at[ASIDE]);
    return p;
}
