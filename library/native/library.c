/* What Python calls: games by their index, states in memory of the caller. */
#include "solver.h"

#include <stdlib.h>

static const Game *const games[] = {&blackjack, &spades, &blot, &tarot, &durak};

enum { GAMES = sizeof games / sizeof *games };

static Table *table(void *state) { return state; }

static const Game *game_of(const void *state) { return games[((const Table *)state)->game]; }

/* Python's states have a list of the legal actions behind them. */
static uint16_t *list_of(void *state) { return (uint16_t *)((char *)state + game_of(state)->size); }

static void list_legal(void *state)
{
    int listed = table(state)->to_act >= 0 ? game_of(state)->legal(state, list_of(state)) : 0;
    table(state)->listed = listed;
}

/* Puts the places of a pack in an order at random. */
static void shuffle(uint64_t *random, uint8_t *order, int size)
{
    for (int place = 0; place < size; place++)
        order[place] = (uint8_t)place;
    for (int last = size - 1; last > 0; last--) {
        int other = below(random, last + 1);
        uint8_t place = order[last];
        order[last] = order[other];
        order[other] = place;
    }
}

/* Deals the pack, whose cards lie as the places in `order`. */
static void deal(const Game *game, void *state, const uint8_t *pack, int size, const uint8_t *order)
{
    uint8_t cards[MOST_CARDS];
    for (int place = 0; place < size; place++)
        cards[place] = pack[order[place]];
    table(state)->dealt += size > 0;
    game->deal(state, cards);
}

/* Deals until a seat is to act, the game is over or a pack of the caller's is due. */
static void deal_on(const Game *game, void *state)
{
    uint8_t pack[MOST_CARDS], order[MOST_CARDS];
    while (table(state)->to_act == CHANCE) {
        int size = game->pack(state, pack);
        if (size && table(state)->dealt < table(state)->given)
            return;
        shuffle(&table(state)->random, order, size);
        deal(game, state, pack, size, order);
    }
}

#pragma GCC visibility push(default)

int game_count(void) { return GAMES; }

const char *game_name(int game) { return games[game]->name; }

/* The bytes of a state, the number of actions, the length of an observation. */
void game_sizes(int game, int32_t *sizes)
{
    sizes[0] = (int32_t)games[game]->size;
    sizes[1] = games[game]->actions;
    sizes[2] = games[game]->features;
}

/* Begins a game without dealing. */
void game_start(int game, void *state, const int32_t *options, int count, int seats, uint64_t seed,
                int given)
{
    memset(state, 0, games[game]->size);
    memcpy(table(state)->options, options, (size_t)count * sizeof *options);
    table(state)->seats = seats;
    table(state)->random = seed;
    table(state)->given = given;
    table(state)->game = game;
    games[game]->start(state);
}

/* Deals a pack of the caller's, if there is one, and those of chance that follow. */
void game_deal(void *state, const uint8_t *order)
{
    const Game *game = game_of(state);
    uint8_t pack[MOST_CARDS];
    if (order)
        deal(game, state, pack, game->pack(state, pack), order);
    deal_on(game, state);
    list_legal(state);
}

static void write_mask(const Game *game, const void *state, uint8_t *mask)
{
    uint16_t actions[MOST_ACTIONS];
    int listed = game->legal(state, actions);
    memset(mask, 0, (size_t)game->actions);
    while (listed)
        mask[actions[--listed]] = 1;
}

static int is_legal(const Game *game, const void *state, int action)
{
    uint16_t actions[MOST_ACTIONS];
    int listed = ((const Table *)state)->to_act >= 0 ? game->legal(state, actions) : 0;
    if (action >= game->actions)
        return listed && game->allows && game->allows(state, action);
    while (listed)
        if (actions[--listed] == action)
            return 1;
    return 0;
}

/* Plays an action and deals what follows; returns 1, or 2 if a pack of the caller's is due. Returns
 * 0, and leaves the state as it was, if the action is not legal. */
int game_apply(void *state, int action)
{
    const Game *game = game_of(state);
    const uint16_t *legal = list_of(state);
    int found = table(state)->listed - 1;
    while (found >= 0 && legal[found] != action)
        found--;
    if (found < 0 && !(action >= game->actions && is_legal(game, state, action)))
        return 0;
    game->apply(state, action);
    deal_on(game, state);
    list_legal(state);
    return table(state)->to_act == CHANCE ? 2 : 1;
}

/* Fills in a state, which is zero, from a question's words; returns 0 if they can't. */
int game_read(int game, void *state, int count, char **words)
{
    table(state)->game = game;
    if (!games[game]->read || !games[game]->read(state, count, words))
        return 0;
    list_legal(state);
    return 1;
}

void game_observe(const void *state, int seat, int8_t *out)
{
    memset(out, 0, (size_t)game_of(state)->features);
    game_of(state)->observe(state, seat, out);
}

/* The last actions of a game, the packs that were dealt in them, and what a seat saw of it all. */
typedef struct {
    const Game *game;
    const void *base; /* the state before the first of the actions */
    const int32_t *actions;
    int count, seat, packs;
    uint8_t (*order)[MOST_CARDS]; /* of each pack */
    uint8_t (*pack)[MOST_CARDS];
    uint8_t *size;
    int8_t *to_act; /* before each action, and at the end */
    int8_t *seen;   /* the seat's observations whenever it acted, and at the end */
} Replay;

enum { MOST_FEATURES = 4096 };

/* Plays the actions once more. The first time, what happens is written down, and packs that are not
 * given are shuffled; afterwards it returns whether everybody could act so and the seat saw the
 * same. */
static int replay(Replay *r, void *state, const uint8_t *given)
{
    const Game *game = r->game;
    int8_t now[MOST_FEATURES], *known = r->seen;
    uint8_t unused[MOST_CARDS];
    int dealt = 0;
    memcpy(state, r->base, game->size);
    for (int step = 0;; step++) {
        while (table(state)->to_act == CHANCE) {
            int size = game->pack(state, unused);
            if (size && dealt == r->packs)
                return 0; /* it would have been dealt again */
            if (size && given) {
                memcpy(r->pack[dealt], unused, (size_t)size);
                r->size[dealt] = (uint8_t)size;
                if (!given[dealt])
                    shuffle(&table(state)->random, r->order[dealt], size);
            }
            deal(game, state, unused, size, size ? r->order[dealt++] : NULL);
        }
        int to_act = table(state)->to_act;
        if (given)
            r->to_act[step] = (int8_t)to_act;
        else if (to_act != r->to_act[step])
            return 0;
        if (to_act == r->seat || (step == r->count && to_act != OVER)) {
            int8_t *out = given ? known : now;
            memset(out, 0, (size_t)game->features);
            game->observe(state, r->seat, out);
            if (!given && memcmp(now, known, (size_t)game->features))
                return 0;
            known += game->features;
        }
        if (step == r->count)
            return 1;
        if (!is_legal(game, state, r->actions[step]))
            return 0;
        game->apply(state, r->actions[step]);
    }
}

/* Puts into `state`, with its list, a position that the seat can't tell from the true one.
 *
 * `base` is a state before the packs that matter, `actions` what was played since; `orders` are the
 * packs dealt since, which are read where they are `given` and written at the end; `from` is the
 * first one whose cards the seat may not have seen. Two cards that it may not know are swapped in a
 * pack, and everything is played again: if all that the seat saw is the same, the swap stays. From
 * the true deal, itself one of them, such steps lead to all deals alike. Returns 0 if there is no
 * memory for it.
 */
int game_resample(const void *base, const int32_t *actions, int count, int seat,
                  uint8_t *orders, const uint8_t *given, int packs, int from, uint64_t seed,
                  void *state)
{
    const Game *g = game_of(base);
    uint8_t cards[MOST_CARDS], places[4 * MOST_CARDS][2];
    int open = 0;
    size_t steps = (size_t)count + 1;
    Replay r = {.game = g, .base = base, .actions = actions, .count = count, .seat = seat};
    r.packs = packs;
    r.order = (uint8_t(*)[MOST_CARDS])orders;
    r.pack = calloc((size_t)packs + 1, sizeof *r.pack);
    r.size = calloc((size_t)packs + 1, 1);
    r.to_act = malloc(steps);
    r.seen = malloc((steps + 1) * (size_t)g->features);
    int ready = r.pack && r.size && r.to_act && r.seen;
    if (ready) {
        replay(&r, state, given);
        int hidden = table(state)->to_act == OVER ? 0 : g->hidden(state, seat, cards);
        for (int pack = from; pack < packs; pack++)
            for (int place = 0; place < r.size[pack]; place++)
                if (memchr(cards, r.pack[pack][r.order[pack][place]], (size_t)hidden)) {
                    places[open][0] = (uint8_t)pack;
                    places[open++][1] = (uint8_t)place;
                }
        for (int swaps = open ? 4 * open + 16 : 0; swaps > 0; swaps--) {
            const uint8_t *one = places[below(&seed, open)], *other = places[below(&seed, open)];
            uint8_t *a = &r.order[one[0]][one[1]], *b = &r.order[other[0]][other[1]], kept = *a;
            if (one[0] != other[0] || a == b)
                continue;
            *a = *b;
            *b = kept;
            if (!replay(&r, state, NULL)) {
                *b = *a;
                *a = kept;
            }
        }
        replay(&r, state, NULL);
        table(state)->given = 0;
        table(state)->random = next_random(&seed);
        list_legal(state);
    }
    free(r.pack);
    free(r.size);
    free(r.to_act);
    free(r.seen);
    return ready;
}

/* What a vector of games is written to, each a row for each game; NULL for what isn't wanted. */
typedef struct {
    int8_t *observations; /* of the seat that is to act */
    uint8_t *masks;
    float *rewards; /* for each seat: its score if a game has ended, else 0 */
    uint8_t *ended; /* whether a game has ended, and another one has begun */
    int32_t *to_act;
} Rows;

static void write_rows(const Game *game, const void *state, int number, const Rows *rows)
{
    int seat = ((const Table *)state)->to_act;
    if (rows->observations) {
        int8_t *out = rows->observations + (size_t)number * (size_t)game->features;
        memset(out, 0, (size_t)game->features);
        game->observe(state, seat, out);
    }
    if (rows->masks)
        write_mask(game, state, rows->masks + (size_t)number * (size_t)game->actions);
    if (rows->to_act)
        rows->to_act[number] = seat;
}

/* Begins all games as `fresh`, which has not been dealt, but with packs of their own. */
void vector_reset(int game, void *states, const void *fresh, int count, uint64_t seed,
                  const Rows *rows)
{
    const Game *g = games[game];
    for (int number = 0; number < count; number++) {
        char *state = (char *)states + (size_t)number * g->size;
        memcpy(state, fresh, g->size);
        table(state)->random = next_random(&seed);
        deal_on(g, state);
        write_rows(g, state, number, rows);
    }
}

/* Takes an action in each game; one that ends begins again. Returns -1, or the number of a game
 * whose action is not legal: then all are left as they were. */
int vector_step(int game, void *states, const void *fresh, int count, const int32_t *actions,
                const Rows *rows)
{
    const Game *g = games[game];
    for (int number = 0; number < count; number++)
        if (!is_legal(g, (char *)states + (size_t)number * g->size, actions[number]))
            return number;
    for (int number = 0; number < count; number++) {
        char *state = (char *)states + (size_t)number * g->size;
        int seats = table(state)->seats;
        g->apply(state, actions[number]);
        deal_on(g, state);
        int ended = table(state)->to_act == OVER;
        if (rows->ended)
            rows->ended[number] = (uint8_t)ended;
        for (int seat = 0; rows->rewards && seat < seats; seat++)
            rows->rewards[(size_t)number * (size_t)seats + (size_t)seat] =
                ended ? (float)table(state)->scores[seat] : 0;
        if (ended) {
            uint64_t random = table(state)->random;
            memcpy(state, fresh, g->size);
            table(state)->random = random;
            deal_on(g, state);
        }
        write_rows(g, state, number, rows);
    }
    return -1;
}

/* A legal action for each game, all equally likely. */
void vector_random(int game, const void *states, int count, uint64_t *random, int32_t *actions)
{
    const Game *g = games[game];
    uint16_t legal[MOST_ACTIONS];
    for (int number = 0; number < count; number++) {
        int listed = g->legal((const char *)states + (size_t)number * g->size, legal);
        actions[number] = legal[below(random, listed)];
    }
}

Solver *solver_new(void) { return new_solver(); }

void solver_free(Solver *solver) { free_solver(solver); }

int solver_solve(Solver *solver, const void *state, uint16_t *actions, int32_t *values)
{
    return solve(solver, game_of(state), state, actions, values);
}

#pragma GCC visibility pop
