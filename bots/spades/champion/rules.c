/* The rules are SRP's [Cohensius 2019], as bots/spades/lib/srp.py fills them in, but for its
   signals. */

#include "rules.h"

#include <limits.h>

/* The seat to act, what it may play, and what it has not seen. */
typedef struct {
    const State *state;
    const Cards *lacks;
    int seat, partner, left, right;
    Cards hand, legal, unseen;
} View;

static int is_boss(const View *v, int card) { return !(v->unseen & higher(card)); }
static int length(const View *v, int card) { return count(v->hand & suit_of(card)); }

static Cards takes(const View *v)
{
    int best = v->state->best;
    Cards above = higher(best);
    return v->legal & (is_spade(best) ? above : above | ALL_SPADES);
}

/* The card of a set that is worth most, the first of equals; -1 if there is none. */
static inline __attribute__((always_inline)) int best_of(const View *v, Cards cards,
                                                         int worth(const View *, int))
{
    int found = -1, most = INT_MIN;
    while (cards) {
        int card = take_lowest(&cards), value = worth(v, card);
        if (value > most) {
            most = value;
            found = card;
        }
    }
    return found;
}

static int cheap(const View *v, int card) { return (void)v, -cost(card); }
static int dear(const View *v, int card) { return (void)v, cost(card); }

/* By rank; of two the side suit's, and there the shorter suit's. */
static int high(const View *v, int card)
{
    return 32 * rank_of(card) - 16 * is_spade(card) - length(v, card);
}

/* The tricks that the own spades take even if all the others were in one hand. */
static int sure_takes(const View *v)
{
    int mine = (int)(v->hand >> TRUMPS), theirs = (int)(v->unseen >> TRUMPS), sure = 0;
    while (mine && theirs) {
        if (mine > theirs) {
            sure++;
            mine ^= 1 << (31 - __builtin_clz(mine));
            theirs &= theirs - 1;
        } else {
            int low = mine & -mine, over = theirs & ~(low - 1);
            mine ^= low;
            theirs ^= over & -over;
        }
    }
    return sure + count(mine);
}

/* Whether the next trick is wanted: for the contract, or to set the opponents, who are left alone
   where bids are low and many tricks are needed for it. */
static int wants_tricks(const View *v)
{
    const int8_t *bids = v->state->bids;
    int left = count(v->hand), needed = missing(v->state, v->seat);
    int theirs = missing(v->state, v->left);
    if (needed > left)
        needed = 0;
    else if (needed && needed > sure_takes(v))
        return 1;
    if (!theirs || theirs > left)
        return 0;
    int total = bids[0] + bids[1] + bids[2] + bids[3];
    int nils = !bids[0] || !bids[1] || !bids[2] || !bids[3];
    int reach = nils || total > 11 ? 13 : total > 9 ? 4 : 3;
    return left - theirs + 1 - needed <= reach;
}

/* What most of the unseen cards beat. */
static int low(const View *v, int card)
{
    return 32 * count(v->unseen & higher(card)) - cost(card);
}

/* What the partner, who tries nil, can throw on; else a high card. */
static int covers(const View *v, int card)
{
    int free = v->lacks[v->partner] >> card & 1;
    return 1024 * free + 32 * rank_of(card) - cost(card);
}

/* What an opponent who tries nil may have to take. */
static int attacks(const View *v, int card)
{
    Cards safe = ALL_CARDS, below = v->unseen & suit_of(card) & ~higher(card);
    if (tries_nil(v->state, v->left))
        safe &= v->lacks[v->left];
    if (tries_nil(v->state, v->right))
        safe &= v->lacks[v->right];
    return -(1024 * (int)(safe >> card & 1) + 32 * count(below) + cost(card));
}

/* The side suits that a seat is known to lack, unless it has no spades either. */
static Cards cut_by(const View *v, int seat)
{
    return v->lacks[seat] & bit(TRUMPS) ? 0 : v->lacks[seat];
}

/* A winner that nobody is known to cut. */
static int safe(const View *v, int card)
{
    Cards cut = cut_by(v, v->left) | cut_by(v, v->right);
    return -(256 * (int)(cut >> card & 1) + 32 * is_spade(card) + length(v, card));
}

/* A suit that the partner can cut, else a short one. */
static int invites(const View *v, int card)
{
    int is_cut = cut_by(v, v->partner) >> card & 1;
    return -(1024 * is_spade(card) - 512 * is_cut + 16 * length(v, card) + rank_of(card));
}

static int lead(const View *v)
{
    Cards bosses = 0;
    if (!wants_tricks(v))
        return best_of(v, v->legal, low);
    for (Cards cards = v->legal; cards;) {
        int card = take_lowest(&cards);
        bosses |= is_boss(v, card) ? bit(card) : 0;
    }
    return bosses ? best_of(v, bosses, safe) : best_of(v, v->legal, invites);
}

/* A low card of a short suit. */
static int useless(const View *v, int card)
{
    return -(1024 * is_spade(card) + 512 * (rank_of(card) >= JACK) + 16 * length(v, card)
             + rank_of(card));
}

static int throw_away(const View *v)
{
    int follows = suit_of(lowest(v->legal)) == suit_of(led(v->state));
    return follows ? best_of(v, v->legal, cheap) : best_of(v, v->legal, useless);
}

/* Lose with a high card, but keep the spades that a contract counts on. */
static int shed(const View *v, Cards loses)
{
    Cards sides = loses & ~ALL_SPADES;
    if (sides)
        return best_of(v, sides, high);
    return missing(v->state, v->seat) ? lowest(loses) : highest(loses);
}

/* Win as cheaply as is safe while tricks are wanted, else lose as high as possible. */
static int follow(const View *v)
{
    const State *s = v->state;
    Cards winners = takes(v), losers = v->legal & ~winners, left = winners;
    int last = s->laid == 3;
    if (!wants_tricks(v)) {
        if (losers)
            return shed(v, losers);
        return last ? highest(winners) : best_of(v, winners, cheap);
    }
    int holds = last || rank_of(s->best) >= JACK || is_boss(v, s->best);
    if (!winners || (s->leader == v->partner && holds))
        return throw_away(v);
    int card = best_of(v, winners, cheap);
    if (last || suit_of(card) != suit_of(led(s)))
        return card;
    while (left) {
        card = take_lowest(&left);
        if (is_boss(v, card))
            return card;
    }
    return s->laid == 2 ? highest(winners) : throw_away(v);
}

/* An own nil loses with its most dangerous card. */
static int duck_under(const View *v)
{
    Cards winners = takes(v), losers = v->legal & ~winners;
    if (losers)
        return best_of(v, losers, dear);
    return v->state->laid == 3 ? highest(winners) : best_of(v, winners, cheap);
}

/* Take what the partner, who tries nil, is winning or may have to win. */
static int cover(const View *v)
{
    const State *s = v->state;
    Cards winners = takes(v);
    if (s->leader == v->partner)
        return winners ? best_of(v, winners, cheap) : throw_away(v);
    if (s->laid == 1 && winners && !is_boss(v, s->best)) {
        Cards same = winners & suit_of(s->best);
        return same ? highest(same) : best_of(v, winners, cheap);
    }
    return follow(v);
}

/* Stay below an opponent who tries nil, and who wins or may still have to. */
static int attack(const View *v)
{
    const State *s = v->state;
    Cards losers = v->legal & ~takes(v);
    int waits = s->laid < 3 && tries_nil(s, v->left);
    int wins = s->leader != v->partner && tries_nil(s, s->leader);
    if (losers && (wins || (waits && !is_spade(s->best) && rank_of(s->best) <= JACK)))
        return best_of(v, losers, high);
    return follow(v);
}

int rule_card(const Round *round)
{
    const State *s = &round->state;
    int seat = s->table.to_act, laid = s->laid;
    Cards legal = playable(s), hand = s->hands[seat];
    if (!(legal & (legal - 1)))
        return lowest(legal);
    View v = {s, round->lacks, seat, partner_of(seat), next_of(seat), next_of(partner_of(seat)),
              hand, legal, others_hold(s)};
    if (tries_nil(s, seat))
        return laid ? duck_under(&v) : best_of(&v, legal, low);
    if (tries_nil(s, v.partner))
        return laid ? cover(&v) : best_of(&v, legal, covers);
    if ((tries_nil(s, v.left) || tries_nil(s, v.right)) && missing(s, seat) < count(hand))
        return laid ? attack(&v) : best_of(&v, legal, attacks);
    return laid ? follow(&v) : lead(&v);
}

void play_out(Round *round)
{
    while (round->state.table.to_act >= 0)
        play(round, rule_card(round));
}
