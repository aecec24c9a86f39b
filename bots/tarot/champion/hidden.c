#include "hidden.h"

#include "rules.h"

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

/* What is certain. */

static void learn_from_card(Hidden *hidden, int seat, int card, int led, int best)
{
    int suit = suit_of(card);
    if (suit != led)
        hidden->may[seat] &= ~suited(led);
    if (suit != TRUMPS)
        hidden->may[seat] &= ~ALL_TRUMPS;
    else if (card < best)
        hidden->may[seat] &= ~(ALL_TRUMPS & above(best));
}

/* Who does not follow is void; who does not go over a trump has none above it. */
static void learn_from_trick(Hidden *hidden, const Trick *trick)
{
    int led = -1, best = -1;
    for (int place = 0; place < trick->count; place++) {
        int card = trick->cards[place], suit = suit_of(card);
        if (card == EXCUSE)
            continue;
        if (led < 0)
            led = suit;
        else if (suit != led || suit == TRUMPS)
            learn_from_card(hidden, (trick->leader + place) % SEATS, card, led, best);
        if (suit == TRUMPS && card > best)
            best = card;
    }
}

/* Kings and bouts are never put away, and trumps are shown. Where trumps were, there were too few
   other cards: the taker has put away all that it had but kings. */
static void learn_from_dog(Hidden *hidden, const Question *q)
{
    hidden->may[ASIDE] &= ~(KINGS | BOUTS | ALL_TRUMPS);
    hidden->may[SEATS - q->taker - q->seat] &= ~q->dog;
    if (q->discard)
        hidden->may[q->taker] &= KINGS | BOUTS | ALL_TRUMPS;
}

/* The cards shown are there; with the Excuse among them there were no other trumps. */
static void learn_from_poignee(Hidden *hidden, int seat, Cards shown)
{
    for (int place = 0; place < PLACES; place++)
        if (place != seat)
            hidden->may[place] &= ~shown;
    if (shown & CARD(EXCUSE))
        hidden->may[seat] &= ~(ALL_TRUMPS & ~shown);
}

Hidden conclude(const Question *q)
{
    Hidden hidden = {.room = {0}};
    Cards seen = q->hand | q->discard;
    int owns_discard = q->taker == q->seat && takes_dog(q->contract);
    for (int seat = 0; seat < SEATS; seat++) {
        Cards played = with_played(q, seat, 0);
        seen |= played;
        if (seat != q->seat)
            hidden.room[seat] = HAND - size(played);
    }
    if (!owns_discard)
        hidden.room[ASIDE] = DOG - size(q->discard);
    for (int place = 0; place < PLACES; place++)
        if (hidden.room[place])
            hidden.may[place] = ALL_CARDS & ~seen;
    if (q->taker >= 0 && takes_dog(q->contract) && !owns_discard)
        learn_from_dog(&hidden, q);
    for (int seat = 0; seat < SEATS; seat++)
        if (q->shown[seat])
            learn_from_poignee(&hidden, seat, q->shown[seat]);
    for (int i = 0; i < q->tricks_begun; i++)
        learn_from_trick(&hidden, &q->tricks[i]);
    return hidden;
}

/* Deals, each as likely as any.

   Of the three places at most, cards that may lie in the same ones are a kind. How many of each
   kind go where is drawn first, by the number of deals that it stands for; which ones they are is
   a shuffle. So no deal is ever begun that can't be finished, and none is favoured. */

enum { KINDS = 8, MOST_PLANS = 1 << 15 };

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
                if (a < 0 || b < 0 || c < 0 || d->plans == MOST_PLANS)
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

/* What is likely. */

/* The chance that a hand of such a value wants at least this contract: bidders differ, so that the
   limits of `contract_worth` are soft. */
static double wants(int contract, int value)
{
    static const int FROM[] = {[PETITE] = 36, [GARDE] = 41, [SANS] = 51, [CONTRE] = 59};
    if (contract > CONTRE)
        return 0;
    return contract == PASS ? 1 : 1 / (1 + exp((FROM[contract] - 0.5 - value) / 2.5));
}

/* How well a bid over another one agrees with a hand. */
static double bid_likelihood(int bid, int standing, Cards hand)
{
    int value = hand_value(hand), contract = bid % ANNOUNCED;
    double likely = contract == PASS ? 1 - wants(standing + 1, value)
        : wants(contract, value) - wants(contract + 1, value);
    return 0.02 + likely;
}

/* How well all bids agree with a deal. */
static double bids_likelihood(const Question *q, const Deal *deal)
{
    double likely = 1;
    int standing = PASS;
    for (int turn = 0; turn < SEATS; turn++) {
        int seat = (q->first + turn) % SEATS, bid = q->bids[seat];
        Cards hand = with_played(q, seat, deal->at[seat]);
        if (bid == NOT_YET)
            break;
        if (seat == q->taker && takes_dog(q->contract))
            hand = (hand | deal->at[ASIDE] | q->discard) & ~q->dog;
        if (seat != q->seat && size(hand) == HAND)
            likely *= bid_likelihood(bid, standing, hand);
        if (bid % ANNOUNCED > standing)
            standing = bid % ANNOUNCED;
    }
    return likely;
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
