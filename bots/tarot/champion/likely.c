#include "likely.h"

#include "rules.h"

#include <math.h>

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

double bids_likelihood(const Question *q, const Deal *deal)
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
