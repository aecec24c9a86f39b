/* What a bot in C needs beside the rules of its game: questions and answers, deals of the cards
 * that it can't see, and a comparison of answers on the same deals. */
#ifndef BOT_H
#define BOT_H

#include "game.h"

typedef struct {
    int count;
    char **words;
    uint64_t random; /* begins alike whenever the same is asked, so the answer is the same */
    int evaluates;   /* whether every legal answer with its expected score is asked for */
} Question;

/* Answers the question in the arguments, or one a line from standard input until it ends. `answer`
 * prints: the answer, or where `evaluates` is set the items ANSWER=SCORE, all on one line. `hear`
 * gets the lines that are news and begin with #, unless it is NULL. */
int answer_questions(int argc, char *argv[], void (*answer)(Question *question),
                     void (*hear)(char *news));

/* Unseen cards, and the places where they may lie: other hands, a stock. */
enum { MOST_UNSEEN = 60, MOST_ROOM = 25 };

typedef struct {
    int cards, room[3];                             /* how many cards lie in each place */
    uint8_t card[MOST_UNSEEN], may[MOST_UNSEEN];    /* each card; bits: where it may lie */
    double ways[(MOST_UNSEEN + 1) * MOST_ROOM * MOST_ROOM];
} Unseen;

/* Fills in `ways` once the rest is there; returns the number of deals, 0 if there is none. */
double count_ways(Unseen *unseen);

/* Draws one of these deals, all equally likely: the place of each card. */
void deal_unseen(const Unseen *unseen, uint64_t *random, uint8_t *places);

/* The place of one of several, drawn by their weights: `up_to` has the sum of the weights up to
 * each. */
int draw_weighted(const double *up_to, int count, uint64_t *random);

/* Several answers that are tried on the same deals; one that falls behind by more than chance
 * explains is out. */
enum { MOST_ANSWERS = 176 };

typedef struct {
    int answers, in, deals, every;
    uint8_t out[MOST_ANSWERS];
    double values[MOST_ANSWERS]; /* in this deal: filled in by the caller for those not out */
    double sums[MOST_ANSWERS], products[MOST_ANSWERS][MOST_ANSWERS];
} Race;

/* Begins with this number of answers; every so many deals they are compared, never if it is 0. */
void begin_race(Race *race, int answers, int every);

/* Counts the values of a deal. Answers that are behind the best by three standard errors of the
 * difference, or that always came to the same, are out afterwards. Returns how many are left. */
int count_deal(Race *race);

/* The one with the best mean, of those that are not out. */
int best_answer(const Race *race);

/* A number from 0 to 1, which is never reached. */
static inline double draw(uint64_t *random) { return (double)(next_random(random) >> 11) * 0x1p-53; }

#endif
