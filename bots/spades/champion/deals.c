/* The walk is the algorithm of [Metropolis 1953]. Two hands exchange a card, if they may: always
 * where that goes better with the bids, else with a chance that falls with what is lost. What a
 * number of such steps lead to is accepted in the same way by the cards played, since those take
 * longer to judge. */
#include "deals.h"

#include "hands.h"
#include "rules.h"

#include <math.h>

enum { FIRST_STEPS = 200, STEPS = 12 };

static const double
    SPREAD = .9,                    /* of the bids that hands of one value make, in tricks */
    SURE_NIL = .3, STEEPNESS = 2,   /* the logit from which half would bid nil, and how strictly */
    SURPRISE = -1.2,                /* where an opponent doesn't play as the rule player would */
    PARTNERS_SURPRISE = -.6;        /* the partner searches, too */

static int seat_at(const Deals *deals, int place)
{
    return (deals->position->seat + 1 + place) & 3;
}

static double fit_of_bid(const Position *p, int seat, Cards dealt)
{
    const State *s = &p->round.state;
    if (s->bids[seat] == NOT_YET || s->blind >> seat & 1)
        return 0;
    if (s->bids[seat] == NIL)
        return -log1p(exp(STEEPNESS * (SURE_NIL - nil_logit(dealt))));
    double off = (fair_bid(s, dealt, seat) - s->bids[seat]) / SPREAD;
    return -off * off / 2;
}

static double fit_of_play(const Position *p, const Cards dealt[4])
{
    Round round = p->first;
    State *s = &round.state;
    double fit = 0;
    memcpy(s->hands, dealt, sizeof s->hands);
    while (s->played < p->round.state.played) {
        int card = p->round.state.order[s->played], seat = s->table.to_act;
        Cards unseen = (s->hands[0] | s->hands[1] | s->hands[2] | s->hands[3]) & ~s->hands[seat];
        if (seat != p->seat && !are_equal(s, rule_card(&round), card, unseen))
            fit += seat == partner_of(p->seat) ? PARTNERS_SURPRISE : SURPRISE;
        play(&round, card);
    }
    return fit;
}

/* Whether a walk goes on to where the log likelihood is more by this. */
static int is_accepted(Deals *deals, double gain)
{
    return gain >= 0 || draw(&deals->random) < exp(gain);
}

static void step(Deals *deals)
{
    Deal *deal = &deals->deal;
    const Unseen *u = &deals->unseen;
    int i = below(&deals->random, u->cards), j = below(&deals->random, u->cards);
    int there = deal->places[i], here = deal->places[j];
    if (there == here || !(u->may[j] >> there & 1) || !(u->may[i] >> here & 1))
        return;
    int a = seat_at(deals, there), b = seat_at(deals, here);
    Cards exchanged = bit(u->card[i]) | bit(u->card[j]);
    double fit_a = fit_of_bid(deals->position, a, deal->dealt[a] ^ exchanged);
    double fit_b = fit_of_bid(deals->position, b, deal->dealt[b] ^ exchanged);
    if (!is_accepted(deals, fit_a + fit_b - deal->fit_of_bids[a] - deal->fit_of_bids[b]))
        return;
    deal->dealt[a] ^= exchanged;
    deal->dealt[b] ^= exchanged;
    deal->fit_of_bids[a] = fit_a;
    deal->fit_of_bids[b] = fit_b;
    deal->places[i] = (uint8_t)here;
    deal->places[j] = (uint8_t)there;
}

void begin_deals(Deals *deals, const Position *p)
{
    const State *s = &p->round.state;
    Unseen *u = &deals->unseen;
    Deal *deal = &deals->deal;
    Cards unseen = p->unseen;
    deals->position = p;
    deals->random = p->random;
    u->cards = 0;
    for (int place = 0; place < 3; place++)
        u->room[place] = TRICKS - count(p->played[seat_at(deals, place)]);
    while (unseen) {
        int card = take_lowest(&unseen), may = 0;
        for (int place = 0; place < 3; place++)
            may |= !(p->round.lacks[seat_at(deals, place)] & bit(card)) << place;
        u->card[u->cards] = (uint8_t)card;
        u->may[u->cards++] = (uint8_t)may;
    }
    if (count_ways(u) <= 0) {
        memset(u->may, 7, sizeof u->may);
        count_ways(u);
    }
    deal_unseen(u, &deals->random, deal->places);
    for (int seat = 0; seat < 4; seat++)
        deal->dealt[seat] = p->played[seat] | s->hands[seat];
    for (int i = 0; i < u->cards; i++)
        deal->dealt[seat_at(deals, deal->places[i])] |= bit(u->card[i]);
    for (int seat = 0; seat < 4; seat++)
        deal->fit_of_bids[seat] = fit_of_bid(p, seat, deal->dealt[seat]);
    for (int i = 0; i < FIRST_STEPS; i++)
        step(deals);
    deal->fit_of_play = fit_of_play(p, deal->dealt);
}

void next_deal(Deals *deals, Cards hands[4])
{
    Deal before = deals->deal, *deal = &deals->deal;
    for (int i = 0; i < STEPS; i++)
        step(deals);
    deal->fit_of_play = fit_of_play(deals->position, deal->dealt);
    if (!is_accepted(deals, deal->fit_of_play - before.fit_of_play))
        *deal = before;
    for (int seat = 0; seat < 4; seat++)
        hands[seat] = deal->dealt[seat] & ~deals->position->played[seat];
}
