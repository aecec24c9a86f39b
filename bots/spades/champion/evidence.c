#include "evidence.h"

#include <math.h>

#include "hands.h"
#include "rules.h"

static const double
    SPREAD = .9,                    /* of the bids that hands of one value make, in tricks */
    SURE_NIL = .3, STEEPNESS = 2,   /* the logit from which half would bid nil, and how strictly */
    SURPRISE = -1.2,                 /* where an opponent does not play as the rule player would */
    PARTNERS_SURPRISE = -.6;        /* the partner searches, too */

double fit_of_bid(const Question *q, int seat, Cards dealt)
{
    const Round *r = &q->round;
    if (r->bids[seat] == NO_BID || r->blind[seat])
        return 0;
    if (r->bids[seat] == NIL)
        return -log1p(exp(STEEPNESS * (SURE_NIL - nil_logit(dealt))));
    double off = (fair_bid(dealt, r->bids, seat, q->dealer) - r->bids[seat]) / SPREAD;
    return -off * off / 2;
}

double fit_of_play(const Question *q, const Cards dealt[4])
{
    Round r = {.turn = q->played.first};
    int self = q->round.turn;
    double fit = 0;
    for (int seat = 0; seat < 4; seat++) {
        r.hands[seat] = dealt[seat];
        r.bids[seat] = q->round.bids[seat];
        r.blind[seat] = q->round.blind[seat];
    }
    for (int i = 0; i < q->played.count; i++) {
        int card = q->played.card[i];
        if (r.turn != self && !are_equals(&r, rule_card(&r), card))
            fit += r.turn == partner_of(self) ? PARTNERS_SURPRISE : SURPRISE;
        play_card(&r, card);
    }
    return fit;
}
