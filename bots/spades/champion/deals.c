/* The walk is the algorithm of [Metropolis 1953]. Two hands exchange a card, if they may: always
 * where that goes better with the bids, else with a chance that falls with what is lost; and then
 * in the same way by the cards played, since those take longer to judge. */
#include "deals.h"

#include "hands.h"
#include "rules.h"

#include <math.h>

enum { FIRST_STEPS = 200, STEPS = 36 };

/* Fitted to 6,000 bids and 50,000 cards of the champion before this one. */
static const double
    SPREAD = .75,   /* of the bids that hands of one value make, in tricks */
    BY_RULE = .7,   /* the logarithm of how much likelier the rule player's card is than another */
    LOWEST[] = {.9, .98};   /* the chance that of equal cards the lowest is played, by an opponent
                               and by the partner; this champion always does */

static int seat_at(const Deals *deals, int place)
{
    return (deals->position->seat + 1 + place) & 3;
}

static double fit_of_bid(const Position *p, int seat, Cards dealt)
{
    const State *s = &p->round.state;
    if (s->bids[seat] == NOT_YET || s->blind >> seat & 1)
        return 0;
    double nil = nil_bid_logit(s, dealt, seat);
    if (s->bids[seat] == NIL)
        return -log1p(exp(-nil));
    double off = (fair_bid(s, dealt, seat) - s->bids[seat]) / SPREAD;
    return -log1p(exp(nil)) - off * off / 2;
}

/* The log likelihood of a card of the seat to act, by what this seat knows. */
static double fit_of_card(const Round *round, int card, double lowest)
{
    const State *s = &round->state;
    uint16_t cards[TRICKS];
    Cards unseen = others_hold(s), legal = playable(s);
    int equals = 0, lower = 0;
    double fit = 0;
    if (legal == bit(card))
        return 0;
    for (Cards same = legal & suit_of(card) & ~bit(card); same;) {
        int other = take_lowest(&same);
        if (are_equal(s, other, card, unseen)) {
            equals++;
            lower += other < card;
        }
    }
    if (equals)
        fit = log(lower ? (1 - lowest) / equals : lowest);
    int others = distinct(s, unseen, cards) - 1;
    if (others)
        fit += (are_equal(s, rule_card(round), card, unseen) ? BY_RULE : 0)
            - log(exp(BY_RULE) + others);
    return fit;
}

/* The log likelihood of all cards that a seat has played from this hand. */
static double fit_of_play(Deals *deals, int seat, Cards hand)
{
    const State *now = &deals->position->round.state;
    Cards left = ALL_CARDS;
    double fit = 0, lowest = LOWEST[seat == partner_of(deals->position->seat)];
    for (int place = 0; place < now->played; place++) {
        int card = now->order[place];
        Round *before = &deals->before[place];
        if (now->by[place] == seat) {
            before->state.hands[seat] = hand;
            before->state.hands[partner_of(seat)] = left & ~hand;
            fit += fit_of_card(before, card, lowest);
            hand &= ~bit(card);
        }
        left &= ~bit(card);
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
    int places[2] = {deal->places[i], deal->places[j]};
    Cards exchanged = bit(u->card[i]) | bit(u->card[j]);
    double bids[2], play[2], gain_of_bids = 0, gain_of_play = 0;
    if (places[0] == places[1] || !(u->may[j] >> places[0] & 1) || !(u->may[i] >> places[1] & 1))
        return;
    for (int k = 0; k < 2; k++) {
        int seat = seat_at(deals, places[k]);
        bids[k] = fit_of_bid(deals->position, seat, deal->dealt[seat] ^ exchanged);
        gain_of_bids += bids[k] - deal->fit_of_bid[seat];
    }
    if (!is_accepted(deals, gain_of_bids))
        return;
    for (int k = 0; k < 2; k++) {
        int seat = seat_at(deals, places[k]);
        play[k] = fit_of_play(deals, seat, deal->dealt[seat] ^ exchanged);
        gain_of_play += play[k] - deal->fit_of_play[seat];
    }
    if (!is_accepted(deals, gain_of_play))
        return;
    for (int k = 0; k < 2; k++) {
        int seat = seat_at(deals, places[k]);
        deal->dealt[seat] ^= exchanged;
        deal->fit_of_bid[seat] = bids[k];
        deal->fit_of_play[seat] = play[k];
    }
    deal->places[i] = (uint8_t)places[1];
    deal->places[j] = (uint8_t)places[0];
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
    u->room[1] += count(s->gave[p->seat]) - count(s->gave[partner_of(p->seat)]);
    while (unseen) {
        int card = take_lowest(&unseen), may = 0;
        for (int place = 0; place < 3; place++)
            may |= !(p->round.lacks[seat_at(deals, place)] & bit(card)) << place;
        if (s->gave[p->seat] & bit(card))
            may = 1 << 1; /* the partner has it */
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
    Round round = p->first;
    for (int place = 0; place < s->played; place++) {
        deals->before[place] = round;
        play(&round, s->order[place]);
    }
    for (int place = 0; place < 3; place++) {
        int seat = seat_at(deals, place);
        deal->fit_of_bid[seat] = fit_of_bid(p, seat, deal->dealt[seat]);
        deal->fit_of_play[seat] = fit_of_play(deals, seat, deal->dealt[seat]);
    }
    for (int i = 0; i < FIRST_STEPS; i++)
        step(deals);
}

void next_deal(Deals *deals, Cards hands[4])
{
    for (int i = 0; i < STEPS; i++)
        step(deals);
    for (int seat = 0; seat < 4; seat++)
        hands[seat] = deals->deal.dealt[seat] & ~deals->position->played[seat];
}
