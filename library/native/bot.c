#include "bot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_WORDS = 64 };

/* The seed is a hash of the words [Fowler, Noll and Vo 1991]. */
static void ask(void (*answer)(Question *), int count, char **words)
{
    Question question = {count, words, 14695981039346656037u, 0};
    for (int i = 0; i < count; i++)
        for (const char *letter = words[i]; *letter; letter++)
            question.random = (question.random ^ (unsigned char)*letter) * 1099511628211u;
    if (count > 2 && !strcmp(words[0], "evaluate")) { /* a number follows, for other chances */
        question.evaluates = 1;
        question.count -= 2;
        question.words += 2;
    }
    answer(&question);
    fflush(stdout);
}

int answer_questions(int argc, char *argv[], void (*answer)(Question *), void (*hear)(char *))
{
    char *line = NULL, *words[MOST_WORDS];
    size_t room = 0;
    if (argc > 1) {
        ask(answer, argc - 1, argv + 1);
        return 0;
    }
    while (getline(&line, &room, stdin) > 0) {
        int count = 0;
        if (line[0] == '#') {
            if (hear)
                hear(line);
            continue;
        }
        for (char *w = strtok(line, " \n"); w && count < MOST_WORDS; w = strtok(NULL, " \n"))
            words[count++] = w;
        ask(answer, count, words);
    }
    free(line);
    return 0;
}

/* Where it is written how many deals there are of the cards from one on, by how much room there is
 * in the first two places: packed, since what is near is read quicker. */
static int where(const Unseen *unseen, int at, int first, int second)
{
    return (at * (unseen->room[0] + 1) + first) * (unseen->room[1] + 1) + second;
}

/* How many deals there are of the cards after this one if it goes to a place. */
static double ways_with(const Unseen *unseen, int at, const int *room, int place)
{
    if (!room[place] || !(unseen->may[at] >> place & 1))
        return 0;
    return unseen->ways[where(unseen, at + 1, room[0] - (place == 0), room[1] - (place == 1))];
}

double count_ways(Unseen *unseen)
{
    for (int at = unseen->cards; at >= 0; at--)
        for (int first = 0; first <= unseen->room[0]; first++)
            for (int second = 0; second <= unseen->room[1]; second++) {
                int room[3] = {first, second, unseen->cards - at - first - second};
                double ways = at == unseen->cards && !first && !second;
                for (int place = 0; at < unseen->cards && room[2] >= 0 && place < 3; place++)
                    ways += ways_with(unseen, at, room, place);
                unseen->ways[where(unseen, at, first, second)] = ways;
            }
    if (unseen->room[0] + unseen->room[1] + unseen->room[2] != unseen->cards)
        return 0;
    return unseen->ways[where(unseen, 0, unseen->room[0], unseen->room[1])];
}

void deal_unseen(const Unseen *unseen, uint64_t *random, uint8_t *places)
{
    int room[3] = {unseen->room[0], unseen->room[1], unseen->room[2]};
    for (int at = 0; at < unseen->cards; at++) {
        double left = draw(random) * unseen->ways[where(unseen, at, room[0], room[1])];
        int taker = -1;
        for (int place = 0; place < 3 && left >= 0; place++) {
            double ways = ways_with(unseen, at, room, place);
            if (ways > 0)
                taker = place;
            left -= ways;
        }
        room[taker]--;
        places[at] = (uint8_t)taker;
    }
}

int draw_weighted(const double *up_to, int count, uint64_t *random)
{
    double wanted = draw(random) * up_to[count - 1];
    int low = 0, high = count - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (up_to[middle] > wanted)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

void begin_race(Race *race, int answers, int every)
{
    memset(race, 0, sizeof *race);
    race->answers = race->in = answers;
    race->every = every;
}

int best_answer(const Race *race)
{
    int best = -1;
    for (int i = 0; i < race->answers; i++)
        if (!race->out[i] && (best < 0 || race->sums[i] > race->sums[best]))
            best = i;
    return best;
}

/* The sum of the squares of the difference of two answers is that of their products. */
static int is_behind(const Race *race, int answer, int best)
{
    double behind = race->sums[best] - race->sums[answer];
    double of_best = race->products[best][best];
    double squares = of_best - 2 * race->products[answer][best] + race->products[answer][answer];
    double variance = squares - behind * behind / race->deals;
    return behind >= 3 * sqrt(variance > 1e-12 * of_best ? variance : 0);
}

int count_deal(Race *race)
{
    for (int i = 0; i < race->answers; i++) {
        if (race->out[i])
            continue;
        race->sums[i] += race->values[i];
        for (int j = 0; j <= i; j++)
            if (!race->out[j])
                race->products[j][i] = race->products[i][j] += race->values[i] * race->values[j];
    }
    race->deals++;
    if (race->every && race->deals % race->every == 0) {
        int best = best_answer(race);
        for (int i = 0; i < race->answers; i++)
            if (!race->out[i] && i != best && is_behind(race, i, best)) {
                race->out[i] = 1;
                race->in--;
            }
    }
    return race->in;
}
