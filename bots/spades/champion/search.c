#include "search.h"

#include "deals.h"
#include "hands.h"
#include "native/tree.h"
#include "rules.h"
#include "worth.h"

/* The budget of an answer: the deals that are drawn, and the games that a tree tries on them. */
#ifndef DEALS
#define DEALS 500
#endif
#ifndef PLAYOUTS
#define PLAYOUTS 10000
#endif

static const double
    IN_CHANCES = .15, IN_POINTS = 40,   /* what the tree explores by, on the scale of its values */
    NIL_ODDS = .6, SET_ODDS = 1.2;      /* of nils that are made, and contracts that fail, where
                                           players search, to where they play by rule */

static struct {
    Round root;                             /* with hands of one of the deals */
    int side;                               /* that answers */
    double (*value)(const State *after);    /* what a round comes to */
    Cards hands[DEALS][4];
    int next;                               /* deal that the tree tries */
} search;

static double chance_to_win(const State *after)
{
    return worth_of(after, search.side);
}

static double lead(const State *after)
{
    const State *before = &search.root.state;
    double bag = options_of(before)->bag_penalty / 10., points[2];
    for (int side = 0; side < 2; side++)
        points[side] = after->scores[side] - before->scores[side]
            - bag * (after->bags[side] - before->bags[side]);
    return points[search.side] - points[!search.side];
}

/* Before the cards are seen all deals are equally likely. */
static void deal_all(Cards hands[4], uint64_t *random)
{
    uint8_t pack[CARDS];
    shuffle(pack, random);
    for (int place = 0; place < CARDS; place++)
        hands[place % 4] |= bit(pack[place]);
}

static void begin_search(const Position *p, double value(const State *))
{
    static Deals deals;
    const Options *options = options_of(&p->round.state);
    uint64_t random = p->random;
    memset(&search, 0, sizeof search);
    search.side = p->seat & 1;
    search.value = value;
    prepare_worth(options->goal, options->lose);
    if (p->round.state.phase != BLIND)
        begin_deals(&deals, p);
    for (int i = 0; i < DEALS; i++)
        if (p->round.state.phase == BLIND)
            deal_all(search.hands[i], &random);
        else
            next_deal(&deals, search.hands[i]);
    search.root = p->round;
    memcpy(search.root.state.hands, search.hands[0], sizeof search.hands[0]);
}

/* A blind nil gives its partner its highest card, the partner its lowest. */
static int card_to_pass(const State *s)
{
    int seat = s->table.to_act, gives_high = s->blind >> seat & 1, best = -1;
    for (Cards left = s->hands[seat]; left;) {
        int card = take_lowest(&left);
        if (best < 0 || (cost(card) > cost(best)) == gives_high)
            best = card;
    }
    return best;
}

/* Who passes the cards that are still to be passed, which a question doesn't tell. */
static void expect_passes(State *s)
{
    int seat = s->table.to_act, own = 2 - count(s->gave[seat]);
    s->passing = 0;
    s->queued = (int8_t)(own + (s->blind >> seat & 1 ? 2 : 0));
    for (int i = 0; i < s->queued; i++)
        s->queue[i] = (int8_t)(i < own ? seat : partner_of(seat));
}

/* Plays an action before the first card, and the round by rule; the others bid as most would. */
static void try(Round *round, int action)
{
    State *s = &round->state;
    if (s->phase == PASS)
        expect_passes(s);
    spades.apply(s, action);
    while (s->phase != PLAY)
        spades.apply(s, s->phase == PASS ? card_to_pass(s)
                     : BIDS + likely_bid(s, s->hands[s->table.to_act], s->table.to_act));
    play_out(round);
}

static double odds_of(const State *after)
{
    double odds = 1;
    for (int seat = 0; seat < 4; seat++)
        odds *= !after->bids[seat] && !after->took[seat] ? NIL_ODDS : 1;
    for (int side = 0; side < 2; side++)
        odds *= missing(after, side) ? SET_ODDS : 1;
    return odds;
}

/* The means of actions before the first card, over all deals. */
static void mean_values(const uint16_t *actions, int listed, double *values)
{
    for (int i = 0; i < listed; i++) {
        double sum = 0, all_odds = 0;
        for (int deal = 0; deal < DEALS; deal++) {
            Round round = search.root;
            memcpy(round.state.hands, search.hands[deal], sizeof round.state.hands);
            try(&round, actions[i]);
            double odds = odds_of(&round.state);
            sum += odds * search.value(&round.state);
            all_odds += odds;
        }
        values[i] = sum / all_odds;
    }
}

static void next_hands(void *position, void *unused)
{
    State *s = &((Round *)position)->state;
    (void)unused;
    memcpy(s->hands, search.hands[search.next++ % DEALS], sizeof s->hands);
}

static int list(const void *position, uint16_t *cards)
{
    const State *s = &((const Round *)position)->state;
    return s->table.to_act < 0 ? 0 : distinct(s, others_hold(s), cards);
}

static void play_card(void *position, int card) { play(position, card); }

enum { OURS, THEIRS };

static int side(const void *position)
{
    const State *s = &((const Round *)position)->state;
    return s->table.to_act % 2 == search.side ? OURS : THEIRS;
}

static void play_rest(void *position, double *values)
{
    play_out(position);
    values[OURS] = search.value(&((Round *)position)->state);
    values[THEIRS] = -values[OURS];
}

static Tree tree_of(double exploration)
{
    return (Tree){sizeof(Round), exploration, next_hands, list, play_card, side, play_rest,
                  NULL, 0, 0};
}

/* The legal bids that may be best. */
static int list_bids(const Position *p, uint16_t *actions)
{
    const State *s = &p->round.state;
    uint16_t legal[MOST_CANDIDATES];
    Cards hand = s->hands[p->seat];
    int listed = 0, all = spades.legal(s, legal), fair = (int)(fair_bid(s, hand, p->seat) + .5);
    for (int i = 0; i < all; i++) {
        int bid = legal[i] - BIDS;
        if (bid == NIL ? nil_logit(hand) > -2 : fair - 2 <= bid && bid <= fair + 2)
            actions[listed++] = legal[i];
    }
    if (!listed)
        actions[listed++] = legal[fair < legal[0] - BIDS ? 0 : all - 1];
    return listed;
}

int choose(const Position *p)
{
    const State *s = &p->round.state;
    uint16_t actions[MOST_CANDIDATES];
    double values[MOST_CANDIDATES];
    uint64_t random = p->random;
    int listed, best = 0;
    if (s->phase == BLIND)
        return LOOK;
    if (s->phase == PASS)
        return card_to_pass(s);
    listed = s->phase == BID ? list_bids(p, actions) : distinct(s, p->unseen, actions);
    if (listed == 1)
        return actions[0];
    begin_search(p, chance_to_win);
    if (s->phase == PLAY) {
        Tree tree = tree_of(IN_CHANCES);
        return best_by_tree(&tree, &search.root, NULL, PLAYOUTS, &random);
    }
    mean_values(actions, listed, values);
    for (int i = 1; i < listed; i++)
        if (values[i] > values[best])
            best = i;
    return actions[best];
}

/* Equal cards have equal scores. */
int evaluate(const Position *p, uint16_t *actions, double *scores)
{
    const State *s = &p->round.state;
    uint16_t tried[MOST_CANDIDATES];
    double values[MOST_CANDIDATES];
    uint64_t random = p->random;
    Tree tree = tree_of(IN_POINTS);
    int listed = spades.legal(s, actions);
    begin_search(p, lead);
    if (s->phase != PLAY) {
        mean_values(actions, listed, scores);
        return listed;
    }
    int classes = values_by_tree(&tree, &search.root, NULL, PLAYOUTS, &random, tried, values);
    for (int i = 0; i < listed; i++)
        for (int j = 0; j < classes; j++)
            if (are_equal(s, actions[i], tried[j], p->unseen))
                scores[i] = values[j];
    return listed;
}
