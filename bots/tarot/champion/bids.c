#include "bids.h"

#include "deals.h"
#include "rules.h"
#include "weights.h"

void features_of(const Question *q, double features[FEATURES])
{
    Cards hand = q->hand;
    int turn = (q->seat - q->first + SEATS) % SEATS, standing = PASS, voids = 0, singles = 0, n = 0;
    for (int i = 0; i < turn; i++) {
        int bid = q->bids[(q->first + i) % SEATS] % ANNOUNCED;
        if (bid > standing)
            standing = bid;
    }
    for (int suit = CLUBS; suit < TRUMPS; suit++) {
        int length = size(hand & OF_SUIT(suit));
        voids += length == 0;
        singles += length == 1;
    }
    features[n++] = 1;
    features[n++] = turn;
    features[n++] = standing > PASS;
    features[n++] = standing > PETITE;
    features[n++] = hand_value(hand);
    features[n++] = size(hand & ALL_TRUMPS);
    features[n++] = size(hand & ALL_TRUMPS & above(PETIT + 11));       /* from the 13 up */
    features[n++] = (hand & CARD(TWENTY_ONE)) != 0;
    features[n++] = (hand & CARD(EXCUSE)) != 0;
    features[n++] = (hand & CARD(PETIT)) != 0;
    features[n++] = size(hand & KINGS);
    features[n++] = voids;
    features[n++] = singles;
    features[n++] = worth_of(hand & ALL_PLAIN);
}

static double expected(const double features[FEATURES], int bid)
{
    double sum = 0;
    for (int i = 0; i < FEATURES; i++)
        sum += WEIGHTS[bid][i] * features[i];
    return sum;
}

/* Say whether this hand, which leads if it announces it, takes all tricks in most deals. */
static int takes_all(const Question *q, int contract)
{
    enum { TRIALS = 400 };
    const Pool *pool = deal_pool(q, TRIALS);
    int swept = 0;
    for (int i = 0; i < TRIALS; i++) {
        Position p = new_position(q->seat, q->seat);
        const Deal *deal = draw(pool);
        deal_out(&p, q, deal);
        if (takes_dog(contract)) {
            Cards all = q->hand | deal->at[ASIDE];
            p.discard = discard_by_rule(all, may_be_put_away(all));
            p.hands[q->seat] = all & ~p.discard;
        }
        play_out(&p);
        swept += p.swept == TRICKS;
    }
    return swept > 0.6 * TRIALS;
}

int choose_bid(const Question *q)
{
    double features[FEATURES];
    int best = PASS, announced;
    features_of(q, features);
    for (int bid = PETITE; bid <= CONTRE; bid++)
        if (q->legal_bids >> bid & 1 && expected(features, bid) > expected(features, best))
            best = bid;
    announced = best | ANNOUNCED;
    return best != PASS && q->legal_bids >> announced & 1 && takes_all(q, best) ? announced : best;
}
