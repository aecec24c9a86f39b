/* The chance to win between two rounds is the mean of the chances after the next one, for any
   scores below the goal; so the table is worked out by doing that again and again. Bags are no part
   of it: those that a side holds are charged to its score by the chance that they come to ten. */

#include "worth.h"

#include <math.h>

#include "chance.h"
#include "hands.h"
#include "rules.h"

enum { CELLS = 30, ROUNDS = 500, SWEEPS = 6, PENALTY = 110, LOWEST = -250 };

static const double POINTS_A_ROUND = 50, BAGS_A_ROUND = 1.2;

static double chances[CELLS][CELLS];    /* by the own score and the others' */
static double lowest_score, width;      /* of the cells */
static int prepared_goal, prepared_lose, ready;

static double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

static int is_over(double ours, double theirs)
{
    double more = fmax(ours, theirs), less = fmin(ours, theirs);
    return ours != theirs && (more >= prepared_goal || less <= prepared_lose);
}

/* Between rounds, from the four cells around these scores. */
static double look_up(double ours, double theirs)
{
    double x = clamp((ours - lowest_score) / width - .5, 0, CELLS - 1.001);
    double y = clamp((theirs - lowest_score) / width - .5, 0, CELLS - 1.001);
    int i = x, j = y;
    x -= i;
    y -= j;
    return (1 - x) * ((1 - y) * chances[i][j] + y * chances[i][j + 1])
         + x * ((1 - y) * chances[i + 1][j] + y * chances[i + 1][j + 1]);
}

static double after(double ours, double theirs)
{
    return is_over(ours, theirs) ? ours > theirs : look_up(ours, theirs);
}

/* What a round between rule players came to. */
static void play_round(Chance *chance, int points[2])
{
    int pack[52], dealer = draw_below(chance, 4);
    Round r = {.turn = next_of(dealer)};
    for (int i = 0; i < 52; i++)
        pack[i] = i;
    for (int i = 0; i < 52; i++) {
        int j = i + draw_below(chance, 52 - i), card = pack[j];
        pack[j] = pack[i];
        r.hands[i & 3] |= only(card);
    }
    for (int i = 0, seat = next_of(dealer); i < 4; i++, seat = next_of(seat))
        r.bids[seat] = NO_BID;
    for (int i = 0, seat = next_of(dealer); i < 4; i++, seat = next_of(seat))
        r.bids[seat] = likely_bid(r.hands[seat], r.bids, seat, dealer);
    play_out(&r);
    points[0] = made_by(&r, 0).points;
    points[1] = made_by(&r, 1).points;
}

/* The mean of the chances after rounds like these, whoever makes what. */
static double mean_after(double ours, double theirs, int made[ROUNDS][2])
{
    double sum = 0;
    for (int i = 0; i < ROUNDS; i++)
        sum += after(ours + made[i][0], theirs + made[i][1])
             + after(ours + made[i][1], theirs + made[i][0]);
    return sum / (2 * ROUNDS);
}

static double score_of(int cell) { return lowest_score + width * (cell + .5); }

void prepare_worth(int goal, int lose)
{
    static int made[ROUNDS][2];
    if (ready && goal == prepared_goal && lose == prepared_lose)
        return;
    ready = 1;
    prepared_goal = goal;
    prepared_lose = lose;
    lowest_score = lose < LOWEST ? LOWEST : lose;
    width = (goal - lowest_score) / CELLS;
    Chance chance = {1};
    for (int i = 0; i < ROUNDS; i++)
        play_round(&chance, made[i]);
    for (int i = 0; i < CELLS; i++)
        for (int j = 0; j < CELLS; j++)
            chances[i][j] = .5 + .5 * (i - j) / CELLS;
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (int i = CELLS - 1; i >= 0; i--)
            for (int j = i; j >= 0; j--) {
                chances[i][j] = mean_after(score_of(i), score_of(j), made);
                chances[j][i] = 1 - chances[i][j];
            }
}

/* The chance that bags held come to ten before the game is over. */
static double chance_of_penalty(int bags, double rounds)
{
    double mean = BAGS_A_ROUND * rounds, term = exp(-mean), below = 0;
    for (int more = 0; more < 10 - bags; more++) {
        below += term;
        term *= mean / (more + 1);
    }
    return 1 - below;
}

double worth_after(const Standing *before, Made ours, Made theirs)
{
    const Made made[2] = {ours, theirs};
    double scores[2];
    int bags[2];
    for (int side = 0; side < 2; side++) {
        bags[side] = before->bags[side] + made[side].bags;
        scores[side] = before->scores[side] + made[side].points - bags[side] / 10 * PENALTY;
        bags[side] %= 10;
    }
    if (is_over(scores[0], scores[1]))
        return scores[0] > scores[1];
    double rounds = clamp((before->goal - fmax(scores[0], scores[1])) / POINTS_A_ROUND, .5, 20);
    for (int side = 0; side < 2; side++)
        scores[side] -= PENALTY * chance_of_penalty(bags[side], rounds);
    return look_up(scores[0], scores[1]);
}
