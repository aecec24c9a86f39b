#include "race.h"

#include <math.h>
#include <time.h>

/* Of a second: a busy machine needs the rest. Processor time, and time that passes. */
#ifndef CPU_SECONDS
#define CPU_SECONDS .35
#endif
static const double WALL_SECONDS = .45;

enum { BATCH = 16 };

static double started[2];

static double now(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec + 1e-9 * time.tv_nsec;
}

void start_clock(void)
{
    started[0] = now(CLOCK_PROCESS_CPUTIME_ID);
    started[1] = now(CLOCK_MONOTONIC);
}

bool out_of_time(void)
{
    return now(CLOCK_PROCESS_CPUTIME_ID) - started[0] > CPU_SECONDS
        || now(CLOCK_MONOTONIC) - started[1] > WALL_SECONDS;
}

void line_up(Race *race, int runners, int most_deals)
{
    race->runners = runners;
    race->most_deals = most_deals;
    race->best = race->deals = 0;
    for (int i = 0; i < runners; i++)
        race->out[i] = false;
}

static double mean(const Race *race, int runner)
{
    double sum = 0;
    for (int i = 0; i < race->deals; i++)
        sum += race->values[runner][i];
    return sum / race->deals;
}

/* Whether a runner is behind by three standard errors; one that always came to the same as the best
   is behind, too. */
static bool is_behind(const Race *race, int runner)
{
    double sum = 0, squares = 0;
    for (int i = 0; i < race->deals; i++) {
        const double less = race->values[race->best][i] - race->values[runner][i];
        sum += less;
        squares += less * less;
    }
    const double variance = squares - sum * sum / race->deals;
    return sum >= 3 * sqrt(variance > 0 ? variance : 0);
}

/* Find the best one and leave out those far behind; how many are still in. */
static int sort_out(Race *race)
{
    double most = 0;
    race->best = -1;
    for (int i = 0; i < race->runners; i++)
        if (!race->out[i] && (race->best < 0 || mean(race, i) > most)) {
            most = mean(race, i);
            race->best = i;
        }
    int in = 1;
    for (int i = 0; i < race->runners; i++)
        if (!race->out[i] && i != race->best) {
            race->out[i] = is_behind(race, i);
            in += !race->out[i];
        }
    return in;
}

bool next_deal(Race *race)
{
    race->deals++;
    if (race->deals == race->most_deals || out_of_time())
        return false;
    return race->deals % BATCH || sort_out(race) > 1;
}

int winner_of(Race *race)
{
    sort_out(race);
    return race->best;
}
