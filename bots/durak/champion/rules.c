#include "rules.h"

enum { LONGEST = 60 }; /* bouts that are played out: with three or more, cards can go in circles */
#ifndef MUCH
#define MUCH 8
#endif
#ifndef GOOD_TRUMP
#define GOOD_TRUMP 7
#endif
#ifndef HIGHEST_THROWN
#define HIGHEST_THROWN 9
#endif

static Cards trumps_of(const State *s) { return suit_cards(s->trump / RANKS); }

/* The lowest plain card, or the lowest trump where there is none. */
static int cheapest(const State *s, Cards cards)
{
    Cards plain = cards & ~trumps_of(s);
    if (!plain)
        return lowest(cards);
    Cards ranks = (plain | plain >> RANKS | plain >> 2 * RANKS | plain >> 3 * RANKS) & suit_cards(0);
    return lowest(plain & rank_cards(lowest(ranks)));
}

int rule_action(const State *s)
{
    Cards hand = s->hands[s->table.to_act], cards;
    int phase = phase_of(s), card;
    if (phase == ATTACK) {
#ifdef PAIRS
        Cards plain = hand & ~trumps_of(s), h = plain;
        int best = -1, most = -99;
        while (h) { int c = take_lowest(&h); int v = PAIRS * count(plain & rank_cards(c % RANKS)) - c % RANKS; if (v > most) most = v, best = c; }
        if (best >= 0) return best;
#endif
        return cheapest(s, hand);
    }
    if (phase == DEFEND) {
        cards = hand & beating(s, s->attacks[s->defended]);
        if (!cards)
            return TAKE;
        card = cheapest(s, cards);
#ifndef NOMATCHES
        if (cards & s->matching & ~trumps_of(s))
            card = cheapest(s, cards & s->matching & ~trumps_of(s));
#endif
#ifdef TM
        else if (card / RANKS == s->trump / RANKS && cards & s->matching)
            card = cheapest(s, cards & s->matching);
#endif
#ifdef TAKESMALL
        if (card / RANKS == s->trump / RANKS && s->left_in_talon > TAKESMALL && s->attacks[s->defended] / RANKS != s->trump / RANKS && s->attacked == 1)
            return TAKE;
#endif
        int spared = card / RANKS == s->trump / RANKS && card % RANKS >= GOOD_TRUMP;
        return spared && s->left_in_talon > MUCH ? TAKE : card;
    }
    cards = hand & s->matching;
    card = cheapest(s, cards);
    if (!s->left_in_talon && !(hand & ~trumps_of(s)))
        return card;
#ifdef GIVEN
    if (phase == GIVE && s->left_in_talon && card % RANKS > GIVEN) return DONE;
    if (phase == GIVE && card / RANKS != s->trump / RANKS) return card;
#endif
    if (card / RANKS == s->trump / RANKS || (s->left_in_talon && card % RANKS > HIGHEST_THROWN))
        return DONE;
    return card;
}

int most_points(const State *s) { return options_of(s)->partners ? 2 : 2 * s->table.seats - 2; }

void play_out(State *s, double values[MOST_SEATS])
{
    int last = s->number + LONGEST;
    while (s->table.to_act >= 0 && s->number < last)
    {
#ifdef EPS
        static uint64_t rnd = 1;
        if (below(&rnd, 1000) < EPS) {
            uint16_t a[MOST_ACTIONS];
            int n = durak.legal(s, a);
            durak.apply(s, a[below(&rnd, n)]);
            continue;
        }
#endif
        durak.apply(s, rule_action(s));
    }
    for (int seat = 0; seat < s->table.seats; seat++)
        values[seat] = s->table.to_act < 0 ? s->table.scores[seat] / (double)most_points(s) : .5;
}
