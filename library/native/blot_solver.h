/* What a deal of Bazar Blot with open hands comes to if everybody plays for points: alpha-beta
 * search [Knuth and Moore 1975].
 *
 * A card has a place: the stronger card of a suit has the higher one, and trumps stand above all
 * others. A set of cards is 32 bits.
 *
 * Values are the points that are still to come to side 0 (seats 0 and 2), the trick on the table
 * included, with 90 more for all eight tricks and 90 less for none of them, since those count 252
 * for the side that takes them. What a deal scores never falls when the points rise, so a side that
 * plays for points plays for the score.
 */
#ifndef BLOT_SOLVER_H
#define BLOT_SOLVER_H

#include <stdint.h>

enum { EITHER = 2, NOBODY = 3 };       /* who took all tricks so far, if it isn't a side */
enum { LAST_TRICK = 10, ALL_POINTS = 162, MOST_POINTS = 252, SWEEP = MOST_POINTS - ALL_POINTS };
enum { PLAIN_SUITS = 4 };              /* the strain without trumps */

typedef uint32_t Places;

/* The order of the cards in a contract. */
typedef struct {
    uint8_t place[32];                 /* of a card by its number, 8 * suit + rank in 789TJQKA */
    uint8_t points[32];                /* what the card at a place counts */
    Places trumps;
} Order;

Order order_of(int strain);

/* A trick that is being played: `led` is its first card, `best` the one that wins and `winner` its
 * seat, `pot` the points on the table, `left` how many cards are still to come. */
typedef struct {
    int led, best, winner, pot, left;
} Trick;

static const Trick NO_CARDS = {.left = 4};

typedef struct {
    Places hands[4];
    Order order;
    Trick trick;
    int seat;                          /* whose turn it is */
    int sweeper;                       /* the side that took all tricks so far, EITHER or NOBODY */
    /* Options of the table, as the rules name them. */
    int must_ruff, only_higher, free_undertrump;
    /* 1 for a search that may be wrong by a few points and takes a quarter of the time: of cards
     * next to each other that differ by a point only one is tried, and in the first two tricks
     * followers choose between two cards. */
    int rough;
} Position;

typedef struct BlotSolver BlotSolver;

BlotSolver *new_blot_solver(void); /* to be freed; NULL without memory */

/* Forgets what is known: another deal, or another contract, comes next. */
void new_deal(BlotSolver *solver);

/* How many leads have been searched so far. */
int64_t searched(const BlotSolver *solver);

/* The value of a position where somebody leads; quicker with a good guess. */
int value_of_lead(BlotSolver *solver, const Position *position, int guess);

/* The value once a card was played. */
int value_after(BlotSolver *solver, const Position *position, int card, int guess);

#endif
