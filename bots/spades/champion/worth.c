/* The chance to win between two rounds is the mean of the chances after the next one, for any
   scores below the goal; so the table is worked out by doing that again and again. Bags are no part
   of it: those that a side holds are charged to its score by the chance that they come to ten. */

#include "worth.h"

#include <math.h>

#include "hands.h"
#include "rules.h"

enum { CELLS = 30, ROUNDS = 500, SWEEPS = 6, LOWEST = -250, NEVER = 1000000 };

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
    return ours != theirs && (more >= prepared_goal || (prepared_lose && less <= prepared_lose));
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

/* What a round between rule players comes to. */
static void play_round(uint64_t *random, int points[2])
{
    static const Options options = {.goal = NEVER, .bag_penalty = 110, .double_nil = 1};
    uint8_t pack[CARDS];
    Round round = {0};
    State *s = &round.state;
    memcpy(s->table.options, &options, sizeof options);
    spades.start(s);
    s->dealer = below(random, 4);
    shuffle(pack, random);
    spades.deal(s, pack);
    while (s->phase == BID)
        spades.apply(s, BIDS + likely_bid(s, s->hands[s->table.to_act], s->table.to_act));
    play_out(&round);
    points[0] = s->scores[0];
    points[1] = s->scores[1];
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
    lowest_score = !lose || lose < LOWEST ? LOWEST : lose;
    width = (goal - lowest_score) / CELLS;
    uint64_t random = 1;
    for (int i = 0; i < ROUNDS; i++)
        play_round(&random, made[i]);
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

double worth_of(const State *s, int side)
{
    double scores[2] = {s->scores[side], s->scores[!side]};
    if (s->table.to_act == OVER)
        return scores[0] > scores[1];
    int goal = options_of(s)->goal, penalty = options_of(s)->bag_penalty;
    double rounds = clamp((goal - fmax(scores[0], scores[1])) / POINTS_A_ROUND, .5, 20);
    for (int which = 0; which < 2; which++)
        scores[which] -= penalty * chance_of_penalty(s->bags[which ^ side], rounds);
    return look_up(scores[0], scores[1]);
}
