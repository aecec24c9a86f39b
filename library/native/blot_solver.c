#include "blot_solver.h"

#include <stdlib.h>

enum { STEP = 20, TABLE_BITS = 18, NARROW = 21, NO_CARD = 255 };

/* Positions where somebody leads. In one deal the cards that are left say who holds them, so they,
 * the leader and the sweeper make the whole key; `deal` tells the entries of earlier deals. */
typedef struct {
    Places left;
    uint32_t deal;
    int16_t low, high;
    uint8_t key, best;
} Known;

/* Everything that stays the same from one card of a search to the next. */
struct BlotSolver {
    const Position *root;
    Places hands[4];
    uint32_t deal;
    int bits; /* how much of the table is used: a small part is quicker to reach */
    int64_t searched;
    Known table[1 << TABLE_BITS];
};

/* What the search hands on: the cards that nobody has played, the points that come after the trick
 * on the table (the last trick's ten among them), and who took all tricks so far. */
typedef struct {
    Places left;
    int rest, sweeper;
} Rest;

typedef struct {
    int low, high;
} Bounds;

static int lead(BlotSolver *s, int seat, Rest rest, int alpha, int beta);
static int follow(BlotSolver *s, int seat, const Trick *trick, Rest rest, int alpha, int beta);

static Places bit(int card) { return (Places)1 << card; }

static Places suit_of(int card) { return (Places)0xFF << (card & 24); }

static Places above(int card) { return ~(Places)1 << card; }

static int lowest(Places cards) { return __builtin_ctz(cards); }

static int highest(Places cards) { return 31 - __builtin_clz(cards); }

static int count(Places cards) { return __builtin_popcount(cards); }

static int points_of(BlotSolver *s, Places cards)
{
    int sum = 0;
    for (; cards; cards &= cards - 1)
        sum += s->root->order.points[lowest(cards)];
    return sum;
}

Order order_of(int strain)
{
    static const uint8_t ranks[2][8] = {{0, 1, 2, 4, 5, 6, 3, 7}, {0, 1, 5, 6, 3, 7, 2, 4}};
    static const uint8_t points[2][8] = {{0, 0, 0, 2, 3, 4, 10, 11}, {0, 0, 3, 4, 10, 11, 14, 20}};
    Order order = {.trumps = strain == PLAIN_SUITS ? 0 : 0xFF000000};
    int place = 0;
    for (int step = 1; step <= 4; step++) { /* the suit after the trumps first, so these last */
        int suit = strain == PLAIN_SUITS ? step - 1 : (strain + step) % 4, kind = suit == strain;
        for (int height = 0; height < 8; height++, place++) {
            order.place[8 * suit + ranks[kind][height]] = (uint8_t)place;
            order.points[place] = points[kind][height];
            if (strain == PLAIN_SUITS && height == 7)
                order.points[place] = 19;
        }
    }
    return order;
}

/* The cards of a hand that may be played (rules d.1 to d.3). */
static Places playable(BlotSolver *s, int seat, const Trick *trick)
{
    Places hand = s->hands[seat], higher = above(trick->best);
    if (trick->left == 4)
        return hand;
    Places suit = hand & suit_of(trick->led), trumps = hand & s->root->order.trumps;
    if (suit) {
        Places beating = suit & higher;
        return s->root->order.trumps & bit(trick->led) && beating ? beating : suit;
    }
    if (!trumps)
        return hand;
    higher &= trumps;
    if (((seat ^ trick->winner) & 1) == 0 && !s->root->must_ruff) {
        Places allowed = s->root->only_higher ? hand & ~(trumps & ~higher) : hand;
        return allowed ? allowed : hand;
    }
    return higher ? higher : s->root->free_undertrump ? hand : trumps;
}

static Trick with_card(const BlotSolver *s, const Trick *trick, int seat, int card)
{
    Trick next = *trick;
    next.pot += s->root->order.points[card];
    next.left--;
    if (trick->left == 4)
        next.led = card;
    if (trick->left == 4
        || (card > trick->best
            && ((card ^ trick->best) < 8 || s->root->order.trumps & bit(card)))) {
        next.best = card;
        next.winner = seat;
    }
    return next;
}

/* The value of a full trick and of all that follows. */
static int taken(BlotSolver *s, const Trick *trick, Rest rest, int alpha, int beta)
{
    int side = trick->winner & 1;
    if (rest.sweeper != side)
        rest.sweeper = rest.sweeper == EITHER ? side : NOBODY;
    if (!rest.left) {
        int sweep = rest.sweeper == NOBODY ? 0 : SWEEP;
        return side ? -sweep : trick->pot + LAST_TRICK + sweep;
    }
    int won = side ? 0 : trick->pot;
    return won + lead(s, trick->winner, rest, alpha - won, beta - won);
}

static int after(BlotSolver *s, int seat, const Trick *trick, int card, Rest rest, int alpha,
                 int beta)
{
    Trick next = with_card(s, trick, seat, card);
    int value;
    rest.left ^= bit(card);
    rest.rest -= s->root->order.points[card];
    s->hands[seat] ^= bit(card);
    value = next.left ? follow(s, (seat + 1) & 3, &next, rest, alpha, beta)
                      : taken(s, &next, rest, alpha, beta);
    s->hands[seat] ^= bit(card);
    return value;
}

/* The cards of a set, those of the greatest `height` first; how many. Of two that have only played
 * cards between them and count the same, in a rough search up to a point, the lower is left out. */
static int sorted(BlotSolver *s, Places cards, Places left, const int8_t *height, uint8_t *found)
{
    const uint8_t *points = s->root->order.points;
    int listed = 0;
    for (Places rest = cards; rest; rest &= rest - 1) {
        int card = lowest(rest), at;
        Places higher = left & suit_of(card) & above(card), next = higher & -higher;
        if (next & cards && points[lowest(next)] - points[card] <= s->root->rough)
            continue;
        for (at = listed++; at && height[found[at - 1]] < height[card]; at--)
            found[at] = found[at - 1];
        found[at] = (uint8_t)card;
    }
    return listed;
}

/* The value of the best of these cards for the side of `seat`; which one it was goes to `best`. */
static int best_of(BlotSolver *s, const uint8_t *cards, int listed, int seat, const Trick *trick,
                   Rest rest, int alpha, int beta, uint8_t *best)
{
    int raises = !(seat & 1), most = raises ? -MOST_POINTS : 2 * MOST_POINTS;
    for (int i = 0; i < listed && alpha < beta; i++) {
        int value = after(s, seat, trick, cards[i], rest, alpha, beta);
        if (raises ? value <= most : value >= most)
            continue;
        most = value;
        *best = cards[i];
        if (raises && most > alpha)
            alpha = most;
        if (!raises && most < beta)
            beta = most;
    }
    return most;
}

static int follow(BlotSolver *s, int seat, const Trick *trick, Rest rest, int alpha, int beta)
{
    uint8_t cards[8], best;
    int8_t height[32];
    Places legal = playable(s, seat, trick), higher = above(trick->best);
    int ours = ((seat ^ trick->winner) & 1) == 0;
    int gives = ours || legal & higher & (suit_of(trick->best) | s->root->order.trumps);
    for (Places held = legal; held; held &= held - 1) {
        int card = lowest(held), points = s->root->order.points[card];
        height[card] = (int8_t)(gives ? points : -points);
    }
    int listed = sorted(s, legal, rest.left | bit(trick->best), height, cards);
    if (s->root->rough && listed > 2 && count(rest.left) >= NARROW) {
        cards[1] = cards[listed - 1];
        listed = 2;
    }
    return best_of(s, cards, listed, seat, trick, rest, alpha, beta, &best);
}

/* Those of the cards held that are higher than every other one that is left. */
static Places masters(Places held, Places left)
{
    Places others = left & ~held;
    return others ? held & above(highest(others)) : held;
}

/* What can be said without a search. The highest trumps, as many as one side holds without a gap,
 * bring their points to that side. And the leader takes a trick with each of the highest cards of
 * every suit, once the opponents have no trumps or can be made to play all they have. */
static Bounds bounds_of(BlotSolver *s, int seat, Rest rest)
{
    int side = seat & 1, low;
    Places trumps = rest.left & s->root->order.trumps;
    Places ours = s->hands[seat] | s->hands[(seat + 2) & 3];
    Places drawn = masters(trumps & s->hands[seat], trumps);
    Places lost = masters(trumps & ~ours, trumps), winners = drawn;
    if (count(trumps & s->hands[(seat + 1) & 3]) <= count(drawn)
        && count(trumps & s->hands[(seat + 3) & 3]) <= count(drawn))
        for (Places suit = 0xFF; suit; suit <<= 8)
            if (!(suit & s->root->order.trumps))
                winners |= masters(s->hands[seat] & suit, rest.left & suit);
    Places sure = winners | masters(trumps & ours, trumps);
    int may_sweep = !lost && (rest.sweeper == side || rest.sweeper == EITHER);
    int may_be_swept = !sure && (rest.sweeper == !side || rest.sweeper == EITHER);
    int high = rest.rest - points_of(s, lost) + (may_sweep ? SWEEP : 0);
    low = winners == s->hands[seat] ? high : points_of(s, sure) - (may_be_swept ? SWEEP : 0);
    return side ? (Bounds){rest.rest - high, rest.rest - low} : (Bounds){low, high};
}

static int lead(BlotSolver *s, int seat, Rest rest, int alpha, int beta)
{
    Bounds sure = bounds_of(s, seat, rest);
    if (sure.low >= beta || sure.low == sure.high)
        return sure.low;
    if (sure.high <= alpha)
        return sure.high;

    uint8_t key = (uint8_t)(seat << 2 | rest.sweeper), first = NO_CARD;
    uint32_t mixed = (rest.left ^ (uint32_t)key << 13) * 2654435769u;
    Known *known = &s->table[mixed >> (32 - s->bits)];
    int low = sure.low, high = sure.high;
    if (known->left == rest.left && known->key == key && known->deal == s->deal) {
        low = known->low, high = known->high, first = known->best;
        if (low >= beta || low == high)
            return low;
        if (high <= alpha)
            return high;
    }

    uint8_t cards[8], best = NO_CARD;
    int8_t height[32];
    s->searched++;
    for (Places held = s->hands[seat]; held; held &= held - 1) {
        int card = lowest(held), points = s->root->order.points[card];
        Places higher = rest.left & suit_of(card) & above(card) & ~s->hands[seat];
        height[card] = (int8_t)(card == first ? 100 : higher ? -points : 30 + points);
    }
    int listed = sorted(s, s->hands[seat], rest.left, height, cards);
    int value = best_of(s, cards, listed, seat, &NO_CARDS, rest, alpha, beta, &best);
    if (value > alpha)
        low = value;
    if (value < beta)
        high = value;
    *known = (Known){rest.left, s->deal, (int16_t)low, (int16_t)high, key, best};
    return value;
}

BlotSolver *new_blot_solver(void) { return calloc(1, sizeof(BlotSolver)); }

void new_deal(BlotSolver *s) { s->deal++; }

int64_t searched(const BlotSolver *s) { return s->searched; }

/* Asks again and again whether the value is as much as some number, which is quicker than to ask
 * for the value: the answers are kept in the table. */
static int exact(BlotSolver *s, const Position *position, int card, int guess)
{
    Rest rest = {0, LAST_TRICK, position->sweeper};
    int low = -SWEEP, high = MOST_POINTS;
    s->root = position;
    for (int seat = 0; seat < 4; seat++)
        rest.left |= s->hands[seat] = position->hands[seat];
    rest.rest += points_of(s, rest.left);
    s->bits = 4 + count(rest.left) / 2;
    if (s->bits > TABLE_BITS - 2 * position->rough)
        s->bits = TABLE_BITS - 2 * position->rough;
    while (low < high) {
        if (guess <= low)
            guess = low + 1;
        if (guess > high)
            guess = high;
        int value = card == NO_CARD
            ? lead(s, position->seat, rest, guess - 1, guess)
            : after(s, position->seat, &position->trick, card, rest, guess - 1, guess);
        if (value >= guess) {
            low = value;
            guess = value + STEP;
        } else {
            high = value;
            guess = value - STEP;
        }
    }
    return low;
}

int value_of_lead(BlotSolver *s, const Position *position, int guess)
{
    return exact(s, position, NO_CARD, guess);
}

int value_after(BlotSolver *s, const Position *position, int card, int guess)
{
    return exact(s, position, card, guess);
}
