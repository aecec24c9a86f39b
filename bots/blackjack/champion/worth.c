#include "worth.h"

#include <math.h>

/* The strongest rival, the card counter of this house, ends one tourney in five with nothing, and
   else about log-normally: seen in 40,000 legs that were tried out. */
static const double RIVAL_BROKE = .2, RIVAL_LOG = 7.77, RIVAL_SPREAD = 2;

/* What a fortune is worth on top, as a square root, for each 10,000 chips. */
static const double FORTUNE = .05;

/* A round that is not the first is the last one as often as this. */
static const double LAST_ROUND = .3;
enum { ROUNDS_AHEAD = 12 };

/* Hands below a half, and the middles of twentieths of the others. */
const double CHANCES[TYPES] = {.02, .57, .67, .75, .79, .84, .87, .9, .94};
const double SHARES[TYPES] = {.6, .05, .05, .05, .05, .05, .05, .05, .05};
enum { PARTS = 26, BUY_IN = 10 };

/* Worths on a grid of equal ratios of chips, from the buy-in on; less than that is nothing. */
enum { POINTS = 128 };
static const double RATIO = .11;

typedef struct {
    double at[POINTS], broke;
} Worth;

static Worth first_round[HANDS], later_round[HANDS];

static double looked_up(const Worth *worth, double chips)
{
    if (chips < BUY_IN)
        return worth->broke;
    const double place = log(chips / BUY_IN) / RATIO;
    if (place >= POINTS - 1)
        return worth->at[POINTS - 1];
    const int below = (int)place;
    return worth->at[below] + (place - below) * (worth->at[below + 1] - worth->at[below]);
}

static double chips_at(int point) { return BUY_IN * exp(RATIO * point) * (1 + 1e-12); }

/* When a leg is over. */
static Worth at_the_end(void)
{
    Worth worth = {.broke = RIVAL_BROKE / 2};
    for (int point = 0; point < POINTS; point++) {
        const double chips = chips_at(point);
        const double behind = erfc((RIVAL_LOG - log(chips)) / RIVAL_SPREAD / M_SQRT2) / 2;
        worth.at[point] =
            RIVAL_BROKE + (1 - RIVAL_BROKE) * behind + FORTUNE * sqrt(chips / 10000);
    }
    return worth;
}

static double bet(const Worth *after, double chips, double stake, double chance)
{
    const double won = looked_up(after, chips + stake), lost = looked_up(after, chips - stake);
    return chance * won + (1 - chance) * lost;
}

/* Before a hand, by what chips are worth after it: one bets nothing more on a bad hand, and on a
   good one what is best. */
static Worth before(const Worth *after)
{
    Worth worth = {.broke = after->broke};
    for (int point = 0; point < POINTS; point++) {
        const double chips = chips_at(point);
        double sum = 0;
        for (int type = 0; type < TYPES; type++) {
            double most = bet(after, chips, BUY_IN, CHANCES[type]);
            for (int part = 1; type && part <= PARTS; part++)
                if (chips * part > BUY_IN * PARTS)
                    most = fmax(most, bet(after, chips, chips * part / PARTS, CHANCES[type]));
            sum += SHARES[type] * most;
        }
        worth.at[point] = sum;
    }
    return worth;
}

void prepare_worth(void)
{
    const Worth end = at_the_end();
    Worth next = end;
    for (int round = 0; round < ROUNDS_AHEAD; round++) {
        Worth *last = &later_round[HANDS - 1];
        last->broke = end.broke;
        for (int point = 0; point < POINTS; point++)
            last->at[point] = LAST_ROUND * end.at[point] + (1 - LAST_ROUND) * next.at[point];
        for (int hand = HANDS - 1; hand > 0; hand--)
            later_round[hand - 1] = before(&later_round[hand]);
        next = before(&later_round[0]);
    }
    first_round[HANDS - 1] = next;
    for (int hand = HANDS - 1; hand > 0; hand--)
        first_round[hand - 1] = before(&first_round[hand]);
}

double worth_after(int hand, bool first, double chips)
{
    const int place = hand < 1 ? 0 : hand > HANDS ? HANDS - 1 : hand - 1;
    return looked_up((first ? first_round : later_round) + place, chips);
}
