#include "rival.h"

#include "worth.h"

#include <math.h>
#include <string.h>

/* Chips on a grid of equal ratios, from the buy-in on. */
enum { POINTS = 64, BUY_IN = 10 };
static const double RATIO = .11;

/* What a rival stakes of its chips, as multiples of what lets them grow best [Kelly 1956], each as
   often as the others: 0 for one that puts nothing on top of the buy-in. */
static const double MULTIPLES[] = {0, .9, 1, 1, 1.1, 1.2};
enum { KINDS = sizeof MULTIPLES / sizeof *MULTIPLES };

/* By hands played, the rival's chips and the own ones: the chance to end the round ahead. */
static double ahead[HANDS + 1][POINTS][POINTS];

/* How likely the rival has so many chips. */
static double belief[POINTS];

/* The chance to end ahead by whether the rival wins this hand, and by own chips. */
static double now[2][POINTS];

/* How far up and down the grid a part of the chips leads. */
enum { STEPS = 25 };
static double up[STEPS + 1], down[STEPS + 1];

static double place_of(double chips) { return log(chips / BUY_IN) / RATIO; }

static double chips_at(int point) { return BUY_IN * exp(RATIO * point); }

/* A value between those of two points; somebody without the buy-in is never ahead. */
static double at(const double *row, double place)
{
    if (place < 0)
        return 0;
    if (place >= POINTS - 1)
        return row[POINTS - 1];
    const int below = (int)place;
    return row[below] + (place - below) * (row[below + 1] - row[below]);
}

/* Adds a share of a belief at a place between two points. */
static void add_at(double *row, double place, double share)
{
    place = fmin(fmax(place, 0), POINTS - 1.001);
    const int below = (int)place;
    row[below] += share * (below + 1 - place);
    row[below + 1] += share * (place - below);
}

/* Adds the chips that the rival may have once it has won or lost a hand of this chance. */
static void add_moves(double *row, int point, double chance, bool won, double share)
{
    const double chips = chips_at(point);
    for (int kind = 0; kind < KINDS; kind++) {
        const double part = fmin(1, MULTIPLES[kind] * (2 * chance - 1));
        const double stake = fmin(chips, fmax(BUY_IN, part * chips));
        const double left = won ? chips + stake : fmax(chips - stake, BUY_IN);
        add_at(row, place_of(left), share / KINDS);
    }
}

/* The chance to end ahead with so many own chips, by where the rival may be. */
static void mean_of(const double rivals[POINTS], int hand, double row[POINTS])
{
    memset(row, 0, sizeof(double) * POINTS);
    for (int rival = 0; rival < POINTS; rival++)
        for (int own = 0; rivals[rival] > 0 && own < POINTS; own++)
            row[own] += rivals[rival] * ahead[hand][rival][own];
}

/* The most that a hand of this chance makes of own chips. */
static double best_bet(const double row[POINTS], int own, double chance)
{
    const double chips = chips_at(own);
    double most = 0;
    for (int step = 0; step <= STEPS; step++) {
        const bool flat = step * chips < BUY_IN * STEPS;
        const double won = flat ? place_of(chips + BUY_IN) : own + up[step];
        const double lost = flat ? place_of(chips - BUY_IN + 1e-9) : own + down[step];
        most = fmax(most, chance * at(row, won) + (1 - chance) * at(row, lost));
    }
    return most;
}

/* Works out the hands from the last one back: the rival stakes by its model, and own stakes are the
   best for each chance. */
static void prepare_ahead(void)
{
    for (int step = 0; step <= STEPS; step++) {
        up[step] = log(1 + (double)step / STEPS) / RATIO;
        down[step] = log(1 - (double)step / STEPS) / RATIO;
    }
    for (int rival = 0; rival < POINTS; rival++)
        for (int own = 0; own < POINTS; own++)
            ahead[HANDS][rival][own] = own > rival ? 1 : own == rival ? .5 : 0;
    for (int hand = HANDS; hand > 0; hand--)
        for (int rival = 0; rival < POINTS; rival++) {
            double rivals[POINTS] = {0}, row[POINTS];
            for (int type = 0; type < TYPES; type++) {
                const double wins = SHARES[type] * CHANCES[type];
                add_moves(rivals, rival, CHANCES[type], true, wins);
                add_moves(rivals, rival, CHANCES[type], false, SHARES[type] - wins);
            }
            mean_of(rivals, hand, row);
            for (int own = 0; own < POINTS; own++)
                for (int type = 0; type < TYPES; type++)
                    ahead[hand - 1][rival][own] +=
                        SHARES[type] * best_bet(row, own, CHANCES[type]);
        }
}

void begin_rival(double chips)
{
    prepare_ahead();
    memset(belief, 0, sizeof belief);
    add_at(belief, place_of(chips), 1);
}

static void move_belief(double chance, bool won, double after[POINTS])
{
    memset(after, 0, sizeof(double) * POINTS);
    for (int point = 0; point < POINTS; point++)
        add_moves(after, point, chance, won, belief[point]);
}

void rival_played(double chance, bool won)
{
    double after[POINTS];
    move_belief(chance, won, after);
    memcpy(belief, after, sizeof belief);
}

void prepare_rival(int hand, double chance)
{
    double after[POINTS];
    for (int won = 0; won < 2; won++) {
        move_belief(chance, won, after);
        mean_of(after, hand < HANDS ? hand : HANDS, now[won]);
    }
}

double chance_ahead(double chips, bool rival_wins)
{
    return chips < BUY_IN ? 0 : at(now[rival_wins], place_of(chips));
}
