/* What every game is to the native core: a flat state that is copied, and a few functions.
 *
 * The rules are those of the Python package `tables`, which stays the specification: the tests let
 * both play the same random games. Actions and observations are numbered as library/encodings
 * says. A state holds no pointers and no padding that is ever written, so it is compared, hashed
 * and stored as its bytes.
 */
#ifndef GAME_H
#define GAME_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { CHANCE = -1, OVER = -2 }; /* values of `to_act` beside the seats */

enum { MOST_SEATS = 6, MOST_CARDS = 78, MOST_ACTIONS = 512, MOST_OPTIONS = 20, MOST_STATE = 2048 };

typedef uint64_t Cards; /* a set of up to 64 cards, one bit each */

/* The beginning of every state. `scores`, `hands` and `won` are set when the game is over. */
typedef struct {
    uint64_t random; /* the state of the generator of packs */
    int32_t scores[MOST_SEATS], hands[MOST_SEATS], won[MOST_SEATS];
    int32_t options[MOST_OPTIONS]; /* in the order of the Python model's fields */
    int32_t seats, to_act;
    int32_t dealt;   /* packs that have been shuffled */
    int32_t given;   /* how many of the first packs the caller deals */
    int32_t game;    /* its number in library.c */
    int32_t listed;  /* how many legal actions are listed behind the state (library.c) */
} Table;

/* What the solver needs of a game (solver.c). Two sides play for the points of a deal. */
typedef struct {
    /* Lists the legal actions and their values, as `solve` does, in a game that has a quicker way
     * than the search; the other functions are then NULL but `left`. `own` is the game's memory
     * for this, NULL at first, which is freed with the solver. Returns -1 without memory. */
    int (*solve)(void **own, const void *state, uint16_t *actions, int32_t *values);
    /* How many actions are still to come in the deal, about; 0 where it can't be solved. */
    int (*left)(const void *state);
    /* The side of a seat, 0 or 1. */
    int (*side)(const void *state, int seat);
    /* How far side 0 is ahead in points; it changes when a deal is over. */
    int (*lead)(const void *state);
    /* A hash of all that the rest of the deal depends on, other than what never changes in it. */
    uint64_t (*key)(const void *state);
    /* The legal actions but those that come to the same as another, the most promising first. */
    int (*ranked)(const void *state, uint16_t *actions);
    /* The least and the most that `lead` can be when the deal is over; returns 0 if it can't tell.
     * NULL where it never can. */
    int (*bounds)(const void *state, int *least, int *most);
} Solvable;

typedef struct {
    const char *name;
    size_t size;  /* bytes of a state */
    int actions;  /* the number of action numbers */
    int features; /* the length of an observation */
    /* Begins a game; everything is zero but `options`, `seats` and `random`. */
    void (*start)(void *state);
    /* Where chance acts: the pack that is to be shuffled, in order. Returns its size; 0 where there
     * is nothing to shuffle. */
    int (*pack)(const void *state, uint8_t *cards);
    /* Goes on with the pack in this order, its first card on top. */
    void (*deal)(void *state, const uint8_t *order);
    /* The legal actions of the seat that acts, ascending; returns their number. */
    int (*legal)(const void *state, uint16_t *actions);
    /* Plays an action that is known to be legal. */
    void (*apply)(void *state, int action);
    /* What a seat may know; `out` is zero before. */
    void (*observe)(const void *state, int seat, int8_t *out);
    /* The cards that a seat may not know the place of: those it does know do no harm, they only
     * cost time. Returns their number. */
    int (*hidden)(const void *state, int seat, uint8_t *cards);
    /* Fills in what a question's words tell a seat, in a state that is zero. Hands and stocks that
     * it doesn't see stay empty, and at durak have as many unseen cards as the words say, in any
     * order: the caller deals them. Options that no word tells have their defaults. Returns 0 if
     * the words are of another game. NULL where words don't tell enough. */
    int (*read)(void *state, int count, char **words);
    /* Whether an action beyond the numbered ones can be taken; NULL where there are none. */
    int (*allows)(const void *state, int action);
    const Solvable *solvable; /* NULL where open hands are not solved */
} Game;

extern const Game spades, blot, tarot, durak, blackjack;

/* Small things that all games need. */

static inline uint64_t next_random(uint64_t *random) /* splitmix64 */
{
    uint64_t z = *random += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

/* A number below n, every one equally likely (but for one part in 2^57 where n is up to 128). */
static inline int below(uint64_t *random, int n)
{
    return (int)((unsigned __int128)next_random(random) * (unsigned)n >> 64);
}

static inline Cards bit(int card) { return (Cards)1 << card; }

static inline int count(Cards cards) { return __builtin_popcountll(cards); }

static inline int lowest(Cards cards) { return __builtin_ctzll(cards); }

static inline int highest(Cards cards) { return 63 - __builtin_clzll(cards); }

static inline int take_lowest(Cards *cards)
{
    int card = lowest(*cards);
    *cards &= *cards - 1;
    return card;
}

/* Adds a set of cards to a list of actions, each card by its own number. */
static inline int list_cards(Cards cards, uint16_t *actions, int listed)
{
    while (cards)
        actions[listed++] = (uint16_t)take_lowest(&cards);
    return listed;
}

/* Adds a set of cards to a list of cards. */
static inline int list_set(Cards cards, uint8_t *list, int listed)
{
    while (cards)
        list[listed++] = (uint8_t)take_lowest(&cards);
    return listed;
}

/* Adds an action to a list in which those that are worth most come first, of equals the earlier. */
static inline int insert(uint16_t *actions, int16_t *worths, int listed, int action, int worth)
{
    int at = listed;
    for (; at && worths[at - 1] < worth; at--) {
        worths[at] = worths[at - 1];
        actions[at] = actions[at - 1];
    }
    worths[at] = (int16_t)worth;
    actions[at] = (uint16_t)action;
    return listed + 1;
}

/* Mixes a number into a hash. */
static inline uint64_t mix(uint64_t hash, uint64_t number)
{
    uint64_t z = (hash ^ number) * 0x9E3779B97F4A7C15u;
    return z ^ z >> 29;
}

/* Marks a set of cards in a plane of an observation. */
static inline void mark(int8_t *plane, Cards cards)
{
    while (cards)
        plane[take_lowest(&cards)] = 1;
}

/* A score in tens, rounded down, from -127 to 127. */
static inline int8_t in_tens(int score)
{
    int tens = score >= 0 ? score / 10 : -((9 - score) / 10);
    return (int8_t)(tens < -127 ? -127 : tens > 127 ? 127 : tens);
}

/* The seat that draws the highest of the first four cards, of equal ranks that of the higher suit. */
static inline int highest_drawn(const uint8_t *order, int ranks)
{
    int best = 0, most = -1;
    for (int seat = 0; seat < 4; seat++) {
        int height = order[seat] % ranks * 4 + order[seat] / ranks;
        if (height > most) {
            most = height;
            best = seat;
        }
    }
    return best;
}

static inline int full_pack(uint8_t *cards, int size)
{
    for (int card = 0; card < size; card++)
        cards[card] = (uint8_t)card;
    return size;
}

#endif
