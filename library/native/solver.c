/* What a deal with open hands comes to if both sides play for points: alpha-beta search with a
 * table of positions [Knuth and Moore 1975]. A value is found by asking again and again whether it
 * is as much as some number, which is quicker than to ask for the value [Plaat 1996]. */
#include "solver.h"

#include <stdlib.h>

typedef struct {
    uint64_t key;
    int16_t low, high; /* what is known of the value, for side 0 */
    uint16_t best;
    uint16_t search; /* in which search it was found */
} Known;

enum { TABLE_BITS = 20, MOST_VALUE = 32000, NO_ACTION = 0xFFFF };

struct Solver {
    uint16_t search;
    int bits; /* how much of the table is used: a small part is quicker to reach */
    int begin; /* how far side 0 was ahead before */
    void *own; /* of a game with a way of its own */
    Known table[1 << TABLE_BITS];
};

Solver *new_solver(void) { return calloc(1, sizeof(Solver)); }

void free_solver(Solver *solver)
{
    if (solver)
        free(solver->own);
    free(solver);
}

/* What is known of the value for side 0 without a search. */
static void bounds(const Solver *solver, const Game *game, const void *state, int *low, int *high)
{
    const Solvable *rules = game->solvable;
    *low = -MOST_VALUE, *high = MOST_VALUE;
    if (!rules->left(state))
        *low = *high = rules->lead(state) - solver->begin;
    else if (rules->bounds && rules->bounds(state, low, high))
        *low -= solver->begin, *high -= solver->begin;
}

/* The value of a position for side 0, or a bound of it outside alpha and beta. */
static int search(Solver *solver, const Game *game, const void *state, int alpha, int beta)
{
    const Solvable *rules = game->solvable;
    int low, high, first = NO_ACTION;
    bounds(solver, game, state, &low, &high);
    if (low >= beta || low == high)
        return low;
    if (high <= alpha)
        return high;
    uint64_t key = rules->key(state);
    Known *known = &solver->table[key >> (64 - solver->bits)];
    if (known->key == key && known->search == solver->search) {
        low = known->low, high = known->high, first = known->best;
        if (low >= beta || low == high)
            return low;
        if (high <= alpha)
            return high;
    }
    char next[MOST_STATE];
    uint16_t actions[MOST_ACTIONS];
    int count = rules->ranked(state, actions), best = NO_ACTION;
    int raises = !rules->side(state, ((const Table *)state)->to_act);
    int value = raises ? -MOST_VALUE : MOST_VALUE, a = alpha, b = beta;
    for (int place = 1; place < count; place++)
        if (actions[place] == first) {
            memmove(actions + 1, actions, (size_t)place * sizeof *actions);
            actions[0] = (uint16_t)first;
        }
    for (int place = 0; place < count && a < b; place++) {
        memcpy(next, state, game->size);
        game->apply(next, actions[place]);
        int found = search(solver, game, next, a, b);
        if (raises ? found <= value : found >= value)
            continue;
        value = found;
        best = actions[place];
        if (raises && value > a)
            a = value;
        if (!raises && value < b)
            b = value;
    }
    if (value > alpha)
        low = value;
    if (value < beta)
        high = value;
    *known = (Known){key, (int16_t)low, (int16_t)high, (uint16_t)best, solver->search};
    return value;
}

/* The exact value, from a guess. */
static int exact(Solver *solver, const Game *game, const void *state, int guess)
{
    int low, high;
    bounds(solver, game, state, &low, &high);
    while (low < high) {
        int bound = guess <= low ? low + 1 : guess > high ? high : guess;
        int value = search(solver, game, state, bound - 1, bound);
        if (value < bound)
            high = value;
        else
            low = value;
        guess = value;
    }
    return low;
}

int solve(Solver *solver, const Game *game, const void *state, uint16_t *actions, int32_t *values)
{
    char next[MOST_STATE];
    const Solvable *rules = game->solvable;
    int left = rules && ((const Table *)state)->to_act >= 0 ? rules->left(state) : 0;
    if (!left)
        return -1;
    if (rules->solve)
        return rules->solve(&solver->own, state, actions, values);
    int sign = rules->side(state, ((const Table *)state)->to_act) ? -1 : 1, guess = 0;
    int count = game->legal(state, actions);
    if (++solver->search == 0) { /* the numbers begin again, and none may be taken for an old one */
        memset(solver->table, 0, sizeof solver->table);
        solver->search = 1;
    }
    solver->bits = 6 + left / 2 < TABLE_BITS ? 6 + left / 2 : TABLE_BITS;
    solver->begin = rules->lead(state);
    for (int place = 0; place < count; place++) {
        memcpy(next, state, game->size);
        game->apply(next, actions[place]);
        guess = exact(solver, game, next, guess);
        values[place] = sign * guess;
    }
    return count;
}
