#include "solver.h"

#include <stdbool.h>

enum { SWEEP = CAPOT - ALL_POINTS, STEP = 20, NARROW = 21 };

/* Positions where somebody leads. In one deal the cards that are left say who holds them, so they,
   the leader and the sweeper make the whole key; `deal` tells the entries of earlier deals. */
typedef struct {
    Cards left;
    uint32_t deal;
    int16_t low, high;
    uint8_t key, best;
} Known;

enum { TABLE_BITS = 16, NO_CARD = 255 };

/* Everything that stays the same from one card of a search to the next. */
static Known table[1 << TABLE_BITS];
static uint32_t deal;
static const Order *order;
static Cards hands[4];

/* What the search hands on: the cards that nobody has played, the points that come after the trick
   on the table (the last trick's ten among them), and who took all tricks so far. */
typedef struct {
    Cards left;
    int rest, sweeper;
} Rest;

static int lead(int seat, Rest rest, int alpha, int beta);
static int follow(int seat, const Trick *trick, Rest rest, int alpha, int beta);

/* The value of a full trick and of all that follows. */
static int taken(const Trick *trick, Rest rest, int alpha, int beta)
{
    const int side = trick->winner & 1;
    if (rest.sweeper != side)
        rest.sweeper = rest.sweeper == EITHER ? side : NOBODY;
    if (!rest.left) {
        const int sweep = rest.sweeper == NOBODY ? 0 : SWEEP;
        return side ? -sweep : trick->pot + LAST_TRICK + sweep;
    }
    const int won = side ? 0 : trick->pot;
    return won + lead(trick->winner, rest, alpha - won, beta - won);
}

static int after(int seat, const Trick *trick, int card, Rest rest, int alpha, int beta)
{
    const Trick next = with_card(trick, seat, card, order);
    rest.left ^= bit(card);
    rest.rest -= order->points[card];
    hands[seat] ^= bit(card);
    const int value = next.left ? follow((seat + 1) & 3, &next, rest, alpha, beta)
                                : taken(&next, rest, alpha, beta);
    hands[seat] ^= bit(card);
    return value;
}

/* The cards of a set, those of the greatest `height` first; how many. Of two that have only played
   cards between them and differ by a point at most, the lower is left out. */
static int sorted(Cards cards, Cards left, const int8_t *height, uint8_t *found)
{
    int count = 0;
    for (Cards rest = cards; rest; rest &= rest - 1) {
        const int card = lowest(rest);
        const Cards above = left & suit_of(card) & (~(Cards)1 << card), next = above & -above;
        if (next & cards && order->points[lowest(next)] - order->points[card] <= 1)
            continue;
        int at = count++;
        for (; at && height[found[at - 1]] < height[card]; at--)
            found[at] = found[at - 1];
        found[at] = card;
    }
    return count;
}

/* The value of the best of these cards for the side of `seat`; which one it was goes to `best`. */
static int best_of(const uint8_t *cards, int count, int seat, const Trick *trick, Rest rest,
                   int alpha, int beta, uint8_t *best)
{
    const bool raises = !(seat & 1);
    int most = raises ? -CAPOT : 2 * CAPOT;
    for (int i = 0; i < count && alpha < beta; i++) {
        const int value = after(seat, trick, cards[i], rest, alpha, beta);
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

static int follow(int seat, const Trick *trick, Rest rest, int alpha, int beta)
{
    uint8_t cards[8], best;
    int8_t height[32];
    const Cards legal = playable(hands[seat], seat, trick, order->trumps);
    const Cards higher = ~(Cards)1 << trick->best;
    const bool ours = ((seat ^ trick->winner) & 1) == 0;
    const bool gives = ours || legal & higher & (suit_of(trick->best) | order->trumps);
    for (Cards held = legal; held; held &= held - 1) {
        const int card = lowest(held);
        height[card] = gives ? order->points[card] : -order->points[card];
    }
    int count = sorted(legal, rest.left | bit(trick->best), height, cards);
    if (count > 2 && count_of(rest.left) >= NARROW) {
        cards[1] = cards[count - 1];
        count = 2;
    }
    return best_of(cards, count, seat, trick, rest, alpha, beta, &best);
}

/* Those of the cards held that are higher than every other one that is left. */
static Cards masters(Cards held, Cards left)
{
    const Cards others = left & ~held;
    return others ? held & (~(Cards)1 << highest(others)) : held;
}

typedef struct {
    int low, high;
} Bounds;

/* What can be said without a search. The highest trumps, as many as one side holds without a gap,
   bring their points to that side. And the leader takes a trick with each of the highest cards of
   every suit, once the opponents have no trumps or can be made to play all they have. */
static Bounds bounds_of(int seat, Rest rest)
{
    const int side = seat & 1;
    const Cards trumps = rest.left & order->trumps;
    const Cards ours = hands[seat] | hands[(seat + 2) & 3];
    const Cards drawn = masters(trumps & hands[seat], trumps);
    const Cards lost = masters(trumps & ~ours, trumps);
    Cards winners = drawn;
    if (count_of(trumps & hands[(seat + 1) & 3]) <= count_of(drawn)
            && count_of(trumps & hands[(seat + 3) & 3]) <= count_of(drawn))
        for (Cards suit = 0xFF; suit; suit <<= 8)
            if (!(suit & order->trumps))
                winners |= masters(hands[seat] & suit, rest.left & suit);
    const Cards sure = winners | masters(trumps & ours, trumps);

    const bool may_sweep = !lost && (rest.sweeper == side || rest.sweeper == EITHER);
    const bool may_be_swept = !sure && (rest.sweeper == !side || rest.sweeper == EITHER);
    const int high = rest.rest - points_of(order, lost) + (may_sweep ? SWEEP : 0);
    const int low = winners == hands[seat] ? high
                                           : points_of(order, sure) - (may_be_swept ? SWEEP : 0);
    return side ? (Bounds){rest.rest - high, rest.rest - low} : (Bounds){low, high};
}

static int lead(int seat, Rest rest, int alpha, int beta)
{
    const Bounds sure = bounds_of(seat, rest);
    if (sure.low >= beta || sure.low == sure.high)
        return sure.low;
    if (sure.high <= alpha)
        return sure.high;

    const uint8_t key = seat << 2 | rest.sweeper;
    const uint32_t mixed = (rest.left ^ (uint32_t)key << 13) * 2654435769u;
    Known *known = &table[mixed >> (32 - TABLE_BITS)];
    int low = sure.low, high = sure.high;
    uint8_t first = NO_CARD;
    if (known->left == rest.left && known->key == key && known->deal == deal) {
        low = known->low, high = known->high, first = known->best;
        if (low >= beta || low == high)
            return low;
        if (high <= alpha)
            return high;
    }

    uint8_t cards[8], best = NO_CARD;
    int8_t height[32];
    for (Cards held = hands[seat]; held; held &= held - 1) {
        const int card = lowest(held), points = order->points[card];
        const Cards higher = rest.left & suit_of(card) & (~(Cards)1 << card) & ~hands[seat];
        height[card] = card == first ? 100 : higher ? -points : 30 + points;
    }
    const int count = sorted(hands[seat], rest.left, height, cards);
    const int value = best_of(cards, count, seat, &NO_CARDS, rest, alpha, beta, &best);
    if (value > alpha)
        low = value;
    if (value < beta)
        high = value;
    *known = (Known){rest.left, deal, low, high, key, best};
    return value;
}

void new_deal(const Order *cards)
{
    order = cards;
    deal++;
}

static Rest set_up(const Position *position)
{
    Rest rest = {0, LAST_TRICK, position->sweeper};
    for (int seat = 0; seat < 4; seat++)
        rest.left |= hands[seat] = position->hands[seat];
    rest.rest += points_of(order, rest.left);
    return rest;
}

/* Asks again and again whether the value is as much as some number, which is quicker than to ask
   for the value: the answers are kept in the table. */
static int searched(const Position *position, int card, int guess)
{
    const Rest rest = set_up(position);
    int low = -SWEEP, high = CAPOT;
    while (low < high) {
        if (guess <= low)
            guess = low + 1;
        if (guess > high)
            guess = high;
        const int value = card == NO_CARD
            ? lead(position->seat, rest, guess - 1, guess)
            : after(position->seat, &position->trick, card, rest, guess - 1, guess);
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

int solve(const Position *position, int guess) { return searched(position, NO_CARD, guess); }

int solve_after(const Position *position, int card, int guess)
{
    return searched(position, card, guess);
}
