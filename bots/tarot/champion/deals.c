#include "champion.h"

#include <math.h>

/* Hidden cards by place. Places are the seats; that of the seat to act stands for the cards aside,
 * the dog or the discard. */
typedef struct {
    Hand at[3];
} Deal;

/* Tells that some cards don't lie in a place. */
static void exclude(Unseen *unseen, int place, Hand cards)
{
    for (int i = 0; i < unseen->cards; i++)
        if (has_card(cards, unseen->card[i]))
            unseen->may[i] &= (uint8_t)~(1 << place);
}

/* Kings and bouts are never put away, and trumps are shown. Where trumps were, there were too few
 * other cards: the taker has put away all that it had but kings. */
static void learn_from_dog(const State *known, Unseen *unseen)
{
    int seat = known->table.to_act;
    exclude(unseen, seat, (Hand){KINGS, ~(Cards)0});
    exclude(unseen, 3 - known->taker - seat, known->dog);
    if (known->discard.trumps)
        exclude(unseen, known->taker, (Hand){~KINGS, 0});
}

/* The cards shown are there; with the Excuse among them there were no other trumps. */
static void learn_from_poignee(Unseen *unseen, int seat, Cards shown)
{
    for (int place = 0; place < 3; place++)
        if (place != seat)
            exclude(unseen, place, (Hand){0, shown});
    if (shown & EXCUSE_BIT)
        exclude(unseen, seat, (Hand){0, ~shown});
}

/* The other seats held no card that forbids one that they played: the deal is played once more,
 * each card out of a hand of itself and an unseen one. */
static void learn_from_play(const State *known, Unseen *unseen)
{
    State s = *known;
    s.played = s.laid = 0;
    for (int place = 0; place < known->played; place++) {
        int card = known->order[place], seat = s.table.to_act = known->by[place];
        for (int i = 0; i < unseen->cards; i++) {
            s.hands[seat] = with(one_card(card), one_card(unseen->card[i]));
            if (seat != known->table.to_act && !has_card(playable(&s), card))
                unseen->may[i] &= (uint8_t)~(1 << seat);
        }
        tarot.apply(&s, card);
    }
}

/* The unseen cards, and where each may lie as far as that is certain. */
static void find_unseen(const State *known, Unseen *unseen)
{
    int seat = known->table.to_act, sees_aside = takes_dog(known) && seat == known->taker;
    Hand seen = with(known->hands[seat], known->discard);
    unseen->cards = 0;
    for (int place = 0; place < 3; place++)
        unseen->room[place] = TRICKS;
    for (int place = 0; place < known->played; place++) {
        seen = with(seen, one_card(known->order[place]));
        unseen->room[known->by[place]]--;
    }
    unseen->room[seat] = sees_aside ? 0 : DOG - size_of(known->discard);
    for (int card = 0; card < CARDS; card++)
        if (!has_card(seen, card)) {
            unseen->card[unseen->cards] = (uint8_t)card;
            unseen->may[unseen->cards++] = 7;
        }
    if (takes_dog(known) && !sees_aside)
        learn_from_dog(known, unseen);
    for (int other = 0; other < 3; other++)
        if (other != seat && known->shown[other])
            learn_from_poignee(unseen, other, known->shown[other]);
    learn_from_play(known, unseen);
    count_ways(unseen);
}

/* The chance that a hand of such a value is worth a bid at least: bidders differ, so that the
 * limits of `bid_by_rule` are soft. */
static double wants(int bid, int value)
{
    static const int FROM[] = {[PETITE] = 36, [GARDE] = 41, [SANS] = 51, [CONTRE] = 59};
    if (bid > CONTRE)
        return 0;
    return bid == PASSED ? 1 : 1 / (1 + exp((FROM[bid] - 0.5 - value) / 2.5));
}

/* How well all bids agree with a deal: a weight, the larger the better. */
static double likelihood(const State *known, const Hand played[3], const Deal *deal)
{
    int seat = known->table.to_act, standing = PASSED;
    double likely = 1;
    for (int turn = 0; turn < known->bidders; turn++) {
        int other = (first_seat(known) + turn) % 3, bid = known->bids[other];
        Hand hand = with(deal->at[other], played[other]);
        if (other == known->taker && takes_dog(known))
            hand = without(with(hand, with(deal->at[seat], known->discard)), known->dog);
        if (other != seat && size_of(hand) == TRICKS) {
            int value = hand_value(hand), next = bid == PASSED ? standing + 1 : bid + 1;
            likely *= 0.02 + wants(bid, value) - wants(next, value);
        }
        if (bid > standing)
            standing = bid;
    }
    return likely;
}

/* The deals that were drawn, and sums of their weights. */
static Deal drawn[MOST_DEALS];
static double up_to[MOST_DEALS];
static int count_drawn;

void draw_deals(const State *known, uint64_t *random, int deals)
{
    static Unseen unseen;
    uint8_t places[MOST_UNSEEN];
    Hand played[3] = {{0, 0}};
    double sum = 0;
    for (int place = 0; place < known->played; place++) {
        Hand *of = &played[known->by[place]];
        *of = with(*of, one_card(known->order[place]));
    }
    find_unseen(known, &unseen);
    for (int number = 0; number < deals; number++) {
        Deal deal = {{{0, 0}}};
        deal_unseen(&unseen, random, places);
        for (int i = 0; i < unseen.cards; i++) {
            Hand *at = &deal.at[places[i]];
            *at = with(*at, one_card(unseen.card[i]));
        }
        drawn[number] = deal;
        up_to[number] = sum += likelihood(known, played, &deal);
    }
    count_drawn = deals;
}

void fill_in(State *s, uint64_t *random)
{
    int seat = s->table.to_act;
    const Hand *at = drawn[draw_weighted(up_to, count_drawn, random)].at;
    for (int other = 0; other < 3; other++)
        if (other != seat)
            s->hands[other] = at[other];
    if (takes_dog(s))
        s->discard = with(s->discard, at[seat]);
    else
        s->dog = at[seat];
}
