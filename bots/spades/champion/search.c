#include "search.h"

#include "deals.h"
#include "hands.h"
#include "rules.h"
#include "worth.h"

#ifndef DEALS
#define DEALS 5000      /* the budget of an answer: some 10 ms */
#endif

enum { AT_ONCE = 100 }; /* deals, before candidates are given up and the clock is looked at */

static const double SECONDS = .25;      /* for an answer, however slow the machine is */

static void try_card(Round *round, int card)
{
    play(round, card);
    play_out(round);
}

/* The others bid as most would. */
static void try_bid(Round *round, int bid)
{
    State *s = &round->state;
    spades.apply(s, BIDS + bid);
    while (s->phase == BID)
        spades.apply(s, BIDS + likely_bid(s, s->hands[s->table.to_act], s->table.to_act));
    play_out(round);
}

/* Tries candidates on deals until one is left, or deals or time are used up; returns the best. */
static int best_of(const Position *p, const int *candidates, int count, void attempt(Round *, int))
{
    static Deals deals;
    static Race race;
    if (count == 1)
        return candidates[0];
    start_clock(SECONDS);
    prepare_worth(options_of(&p->round.state)->goal, options_of(&p->round.state)->lose);
    begin_race(&race, count, AT_ONCE);
    begin_deals(&deals, p);
    for (int deal = 0; deal < DEALS && (deal % AT_ONCE || (race.in > 1 && time_used() < 1)); deal++) {
        Round dealt = p->round;
        next_deal(&deals, dealt.state.hands);
        for (int i = 0; i < count; i++)
            if (!race.out[i]) {
                Round round = dealt;
                attempt(&round, candidates[i]);
                race.values[i] = worth_of(&round.state, p->seat & 1);
            }
        count_deal(&race);
    }
    return candidates[best_answer(&race)];
}

/* Of cards that are as good as each other only the lowest is tried. */
int choose_card(const Position *p)
{
    const State *s = &p->round.state;
    int candidates[TRICKS], count = 0;
    Cards legal = playable(s);
    for (Cards left = legal; left;) {
        int card = take_lowest(&left);
        Cards lower = legal & suit_of(card) & (bit(card) - 1);
        if (!lower || !are_equal(s, card, highest(lower), p->unseen))
            candidates[count++] = card;
    }
    return best_of(p, candidates, count, try_card);
}

int choose_bid(const Position *p)
{
    const State *s = &p->round.state;
    uint16_t legal[TRICKS + 1];
    int candidates[TRICKS + 1], count = 0, listed = spades.legal(s, legal);
    Cards hand = s->hands[p->seat];
    int fair = (int)(fair_bid(s, hand, p->seat) + .5);
    for (int place = 0; place < listed; place++) {
        int bid = legal[place] - BIDS;
        if (bid == NIL ? nil_logit(hand) > -2 : fair - 2 <= bid && bid <= fair + 2)
            candidates[count++] = bid;
    }
    if (!count)
        return (fair < legal[0] - BIDS ? legal[0] : legal[listed - 1]) - BIDS;
    return best_of(p, candidates, count, try_bid);
}
