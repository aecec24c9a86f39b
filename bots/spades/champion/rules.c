/* The rules are SRP's [Cohensius 2019], as bots/spades/lib/srp.py fills them in, but for its
   signals. */

#include "rules.h"

#include <limits.h>

/* The seat to act, what it may play, and what it has not seen. */
typedef struct {
    const Round *round;
    int seat, partner, left, right;
    Cards hand, legal, unseen;
} View;

static int is_boss(const View *v, int card) { return !(v->unseen & higher(card)); }
static int length(const View *v, int card) { return count(v->hand & of_suit(suit_of(card))); }

static Cards takes(const View *v)
{
    int best = v->round->best;
    Cards above = higher(best);
    return v->legal & (is_spade(best) ? above : above | of_suit(SPADES));
}

static int cheapest(Cards set)
{
    int card, found = -1;
    EACH(card, set)
        if (found < 0 || cost(card) < cost(found))
            found = card;
    return found;
}

static int dearest(Cards set)
{
    int card, found = -1;
    EACH(card, set)
        if (found < 0 || cost(card) > cost(found))
            found = card;
    return found;
}

/* The highest card by rank; of two the side suit's, and there the shorter suit's. */
static int highest_rank(const View *v, Cards set)
{
    int card, found = -1, most = INT_MIN;
    EACH(card, set) {
        int worth = 32 * rank_of(card) - 16 * is_spade(card) - length(v, card);
        if (worth > most) {
            most = worth;
            found = card;
        }
    }
    return found;
}

/* The tricks that the own spades take even if all the others were in one hand. */
static int sure_takes(const View *v)
{
    int mine = ranks_of(v->hand, SPADES), theirs = ranks_of(v->unseen, SPADES), sure = 0;
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
    const Round *r = v->round;
    int left = count(v->hand), needed = missing(r, v->seat), theirs = missing(r, v->left);
    if (needed > left)
        needed = 0;
    else if (needed && needed > sure_takes(v))
        return 1;
    if (!theirs || theirs > left)
        return 0;
    int total = r->bids[0] + r->bids[1] + r->bids[2] + r->bids[3];
    int nils = !r->bids[0] || !r->bids[1] || !r->bids[2] || !r->bids[3];
    int reach = nils || total > 11 ? 13 : total > 9 ? 4 : 3;
    return left - theirs + 1 - needed <= reach;
}

/* Lead the card that most of the unseen ones beat. */
static int lead_low(const View *v)
{
    int card, found = -1, most = INT_MIN;
    EACH(card, v->legal) {
        int worth = 32 * count(v->unseen & higher(card)) - cost(card);
        if (worth > most) {
            most = worth;
            found = card;
        }
    }
    return found;
}

/* Lead what the partner, who tries nil, can throw on; else the highest card. */
static int lead_cover(const View *v)
{
    int card, found = -1, most = INT_MIN;
    Cards free = v->round->lacks[v->partner];
    EACH(card, v->legal) {
        int worth = 1024 * !!(free & only(card)) + 32 * rank_of(card) - cost(card);
        if (worth > most) {
            most = worth;
            found = card;
        }
    }
    return found;
}

/* Lead what an opponent who tries nil may have to take. */
static int lead_attack(const View *v)
{
    int card, found = -1, least = INT_MAX;
    Cards safe = PACK;
    if (tries_nil(v->round, v->left))
        safe &= v->round->lacks[v->left];
    if (tries_nil(v->round, v->right))
        safe &= v->round->lacks[v->right];
    EACH(card, v->legal) {
        Cards lower = v->unseen & of_suit(suit_of(card)) & ~higher(card);
        int danger = 1024 * !!(safe & only(card)) + 32 * count(lower) + cost(card);
        if (danger < least) {
            least = danger;
            found = card;
        }
    }
    return found;
}

/* The side suits that a seat is known to lack, unless it has no spades either. */
static Cards cut_by(const View *v, int seat)
{
    Cards lacks = v->round->lacks[seat];
    return lacks & only(FIRST_SPADE) ? 0 : lacks;
}

/* Lead winners that nobody is known to cut, suits that the partner can cut, else a short suit. */
static int lead(const View *v)
{
    if (!wants_tricks(v))
        return lead_low(v);
    int card, found = -1, least = INT_MAX;
    Cards cut = cut_by(v, v->left) | cut_by(v, v->right);
    EACH(card, v->legal) {
        if (!is_boss(v, card))
            continue;
        int risk = 256 * !!(cut & only(card)) + 32 * is_spade(card) + length(v, card);
        if (risk < least) {
            least = risk;
            found = card;
        }
    }
    if (found >= 0)
        return found;
    cut = cut_by(v, v->partner);
    EACH(card, v->legal) {
        int price = 1024 * is_spade(card) + 512 * !(cut & only(card)) + 16 * length(v, card)
                  + rank_of(card);
        if (price < least) {
            least = price;
            found = card;
        }
    }
    return found;
}

/* Follow with the cheapest card, or throw a low one of the shortest suit. */
static int throw_away(const View *v)
{
    int card, found = -1, least = INT_MAX;
    if (suit_of(lowest(v->legal)) == suit_of(v->round->trick[0]))
        return cheapest(v->legal);
    EACH(card, v->legal) {
        int worth = 1024 * is_spade(card) + 512 * (rank_of(card) >= JACK) + 16 * length(v, card)
                  + rank_of(card);
        if (worth < least) {
            least = worth;
            found = card;
        }
    }
    return found;
}

/* Lose with a high card, but keep the spades that a contract counts on. */
static int shed(const View *v, Cards loses)
{
    Cards sides = loses & ~of_suit(SPADES);
    if (sides)
        return highest_rank(v, sides);
    return missing(v->round, v->seat) ? lowest(loses) : highest(loses);
}

/* Win as cheaply as is safe while tricks are wanted, else lose as high as possible. */
static int follow(const View *v)
{
    const Round *r = v->round;
    Cards winners = takes(v), losers = v->legal & ~winners;
    int last = r->laid == 3;
    if (!wants_tricks(v)) {
        if (losers)
            return shed(v, losers);
        return last ? highest(winners) : cheapest(winners);
    }
    int holds = last || rank_of(r->best) >= JACK || is_boss(v, r->best);
    if (!winners || (r->winner == v->partner && holds))
        return throw_away(v);
    int card = cheapest(winners);
    if (last || suit_of(card) != suit_of(r->trick[0]))
        return card;
    int boss = -1;
    EACH(card, winners)
        if (boss < 0 && is_boss(v, card))
            boss = card;
    if (boss >= 0)
        return boss;
    return r->laid == 2 ? highest(winners) : throw_away(v);
}

/* An own nil loses with its most dangerous card. */
static int duck_under(const View *v)
{
    Cards winners = takes(v), losers = v->legal & ~winners;
    if (losers)
        return dearest(losers);
    return v->round->laid == 3 ? highest(winners) : cheapest(winners);
}

/* Take what the partner, who tries nil, is winning or may have to win. */
static int cover(const View *v)
{
    const Round *r = v->round;
    Cards winners = takes(v);
    if (r->winner == v->partner)
        return winners ? cheapest(winners) : throw_away(v);
    if (r->laid == 1 && winners && !is_boss(v, r->best)) {
        Cards same = winners & of_suit(suit_of(r->best));
        return same ? highest(same) : cheapest(winners);
    }
    return follow(v);
}

/* Stay below an opponent who tries nil, and who wins or may still have to. */
static int attack(const View *v)
{
    const Round *r = v->round;
    Cards losers = v->legal & ~takes(v);
    int waits = r->laid < 3 && tries_nil(r, v->left);
    int wins = r->winner != v->partner && tries_nil(r, r->winner);
    if (losers && (wins || (waits && !is_spade(r->best) && rank_of(r->best) <= JACK)))
        return highest_rank(v, losers);
    return follow(v);
}

int rule_card(const Round *r)
{
    int seat = r->turn;
    Cards legal = legal_cards(r), hand = r->hands[seat];
    if (!(legal & (legal - 1)))
        return lowest(legal);
    View v = {r, seat, partner_of(seat), next_of(seat), next_of(partner_of(seat)),
              hand, legal, PACK ^ r->played ^ hand};
    if (tries_nil(r, seat))
        return r->laid ? duck_under(&v) : lead_low(&v);
    if (tries_nil(r, v.partner))
        return r->laid ? cover(&v) : lead_cover(&v);
    if ((tries_nil(r, v.left) || tries_nil(r, v.right)) && missing(r, seat) < count(hand))
        return r->laid ? attack(&v) : lead_attack(&v);
    return r->laid ? follow(&v) : lead(&v);
}

void play_out(Round *r)
{
    while (r->hands[0] | r->hands[1] | r->hands[2] | r->hands[3])
        play_card(r, rule_card(r));
}
