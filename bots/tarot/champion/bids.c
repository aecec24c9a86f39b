/* Bids: the score that a hand has on average after each of them, by weights fitted to deals that
 * this bot played. */
#include "champion.h"

#include "weights.h"

void features_of(const State *known, double features[BID_FEATURES])
{
    int seat = known->table.to_act, turn = (seat - first_seat(known) + 3) % 3;
    int voids = 0, singles = 0, n = 0;
    Hand hand = known->hands[seat];
    for (int card = 0; card < TRUMPS; card += SUIT) {
        int length = count(hand.suits & suit_of(card));
        voids += length == 0;
        singles += length == 1;
    }
    features[n++] = 1;
    features[n++] = turn;
    features[n++] = highest_bid(known) > PASSED;
    features[n++] = highest_bid(known) > PETITE;
    features[n++] = hand_value(hand);
    features[n++] = count(trumps_of(hand));
    features[n++] = count(trumps_of(hand) & above(11));            /* from the 13 up */
    features[n++] = has_card(hand, TWENTY_ONE);
    features[n++] = has_card(hand, EXCUSE);
    features[n++] = (hand.trumps & PETIT_BIT) != 0;
    features[n++] = count(hand.suits & KINGS);
    features[n++] = voids;
    features[n++] = singles;
    features[n++] = half_points_of((Hand){hand.suits, 0});
}

static double expected(const double features[BID_FEATURES], int bid)
{
    double sum = 0;
    for (int i = 0; i < BID_FEATURES; i++)
        sum += WEIGHTS[bid][i] * features[i];
    return sum;
}

enum { TRIALS = 400 };

/* Plays a deal out by rule from the rest of the bidding on; `passes` is for others that pass. */
static void play_from_bids(State *s, int passes)
{
    while (s->phase == BID && s->table.to_act >= 0) {
        int bid = bid_by_rule(hand_value(s->hands[s->table.to_act]));
        tarot.apply(s, passes || bid <= highest_bid(s) ? PASS : PASS + bid - PASSED);
    }
    if (s->phase == DISCARD)
        put_away(s, discard_by_rule(s->hands[s->taker]));
    play_out(s);
}

/* Whether this hand, which leads if it announces it, takes all tricks in most deals. */
static int takes_all(const State *known, uint64_t *random, int announcement)
{
    int swept = 0;
    draw_deals(known, random, TRIALS);
    for (int trial = 0; trial < TRIALS; trial++) {
        State s = *known;
        fill_in(&s, random);
        tarot.apply(&s, announcement);
        play_from_bids(&s, 1);
        swept += s.took[s.taker] == TRICKS;
    }
    return swept > 0.6 * TRIALS;
}

void evaluate_bids(const State *known, uint64_t *random)
{
    uint16_t actions[2 * CHELEM];
    double sums[2 * CHELEM] = {0};
    int seat = known->table.to_act, listed = tarot.legal(known, actions);
    draw_deals(known, random, TRIALS);
    for (int trial = 0; trial < TRIALS; trial++) {
        State dealt = *known;
        fill_in(&dealt, random);
        for (int i = 0; i < listed; i++) {
            State s = dealt;
            tarot.apply(&s, actions[i]);
            play_from_bids(&s, 0);
            sums[i] += s.scores[seat] - known->scores[seat];
        }
    }
    for (int i = 0; i < listed; i++) {
        print_bid(actions[i]);
        print_score(sums[i] / TRIALS);
    }
}

int choose_bid(const State *known, uint64_t *random)
{
    double features[BID_FEATURES];
    uint16_t actions[2 * CHELEM];
    int best = PASSED, action;
    features_of(known, features);
    for (int listed = tarot.legal(known, actions); listed--;) {
        int bid = actions[listed] - PASS + PASSED;
        if (bid <= CONTRE && expected(features, bid) > expected(features, best))
            best = bid;
    }
    action = PASS + best - PASSED;
    return best > PASSED && takes_all(known, random, action + CHELEM) ? action + CHELEM : action;
}
