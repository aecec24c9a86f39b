#include "search.h"

#include "native/solver.h"
#include "rules.h"

#include <math.h>
#include <stdlib.h>

#ifndef BUDGET
#define BUDGET 2000 /* played for an answer */
#endif
#ifndef EXPLORATION
#define EXPLORATION .5
#endif

enum { MOST_SOLVED = 14 }; /* cards in the hands and on the table: up to some 10 ms */

enum { MOST_NODES = BUDGET + 1024, LONGEST_WAY = 128, WIDTH = ACTIONS / 64 + 1 };

typedef struct {
    int action, child, sibling, visits, available;
    double sum;
} Node;

static Node nodes[MOST_NODES];
static int used;

static int add_child(int parent, int action)
{
    nodes[used] = (Node){.action = action, .sibling = nodes[parent].child, .available = 1};
    nodes[parent].child = used;
    return used++;
}

static int has(const uint64_t *set, int action) { return set[action / 64] >> action % 64 & 1; }

static int best_bound(int parent, const uint64_t *can)
{
    double most = -HUGE_VAL;
    int best = 0;
    for (int i = nodes[parent].child; i; i = nodes[i].sibling) {
        const Node *node = &nodes[i];
        if (!has(can, node->action))
            continue;
        double bound = node->sum / node->visits
            + EXPLORATION * sqrt(log(node->available) / node->visits);
        if (bound > most) {
            most = bound;
            best = i;
        }
    }
    return best;
}

/* The child to walk to: one that was never tried, if there is one. */
static int choose_child(int node, const uint16_t *actions, int listed, uint64_t *random, int *is_new)
{
    uint64_t can[WIDTH] = {0}, tried[WIDTH] = {0};
    uint16_t untried[MOST_ACTIONS];
    int left = 0;
    for (int i = 0; i < listed; i++)
        can[actions[i] / 64] |= bit(actions[i] % 64);
    for (int i = nodes[node].child; i; i = nodes[i].sibling) {
        nodes[i].available += has(can, nodes[i].action);
        tried[nodes[i].action / 64] |= bit(nodes[i].action % 64);
    }
    for (int i = 0; i < listed; i++)
        if (!has(tried, actions[i]))
            untried[left++] = actions[i];
    *is_new = left > 0;
    return left ? add_child(node, untried[below(random, left)]) : best_bound(node, can);
}

int begin_search(Search *search, int count, char **words)
{
    return begin_deals(&search->deals, count, words, search->random);
}

static void play_game(Search *search, const uint16_t *actions, int listed)
{
    State s = search->deals.state;
    int way[LONGEST_WAY], seats[LONGEST_WAY], length = 0, node = 0, is_new = 0;
    uint16_t legal[MOST_ACTIONS];
    double values[MOST_SEATS];
    next_deal(&search->deals, &s);
    way[length++] = 0;
    while (!is_new && s.table.to_act >= 0 && used < MOST_NODES && length < LONGEST_WAY) {
        if (node) {
            listed = durak.legal(&s, legal);
            actions = legal;
        }
        if (listed == 1) {
            durak.apply(&s, actions[0]);
            continue;
        }
        node = choose_child(node, actions, listed, &search->random, &is_new);
        seats[length] = s.table.to_act;
        way[length++] = node;
        durak.apply(&s, nodes[node].action);
    }
    play_out(&s, values);
    nodes[0].visits++;
    for (int i = 1; i < length; i++) {
        nodes[way[i]].visits++;
        nodes[way[i]].sum += values[seats[i]];
    }
}

/* Keeps those of the actions that the solver finds best, where two are left and all is known. */
static int keep_solved(const Search *search, uint16_t *actions, int listed)
{
    static Solver *solver;
    const State *s = &search->deals.state;
    uint16_t solved[MOST_ACTIONS];
    int32_t values[MOST_ACTIONS];
    int kept = 0, most = -2, cards = s->attacked + s->defended;
    for (int seat = 0; seat < s->table.seats; seat++)
        cards += count(s->hands[seat]);
    if (s->left_in_talon || cards > MOST_SOLVED || (!solver && !(solver = new_solver())))
        return listed;
    int count = solve(solver, &durak, s, solved, values);
    for (int i = 0; i < count; i++)
        if (values[i] > most)
            most = values[i];
    for (int i = 0; i < listed; i++)
        for (int j = 0; j < count; j++)
            if (actions[i] == solved[j] && values[j] == most)
                actions[kept++] = actions[i];
    return kept ? kept : listed;
}

int best_answer_of(Search *search, uint16_t *actions, int listed)
{
    uint16_t kept[MOST_ANSWERS];
    memcpy(kept, actions, (size_t)listed * sizeof *actions);
    int left = keep_solved(search, kept, listed);
    nodes[0] = (Node){0};
    used = 1;
    for (int game = 0; left > 1 && game < BUDGET; game++)
        play_game(search, kept, left);
    int best = 0;
    nodes[0].action = kept[0];
    for (int i = nodes[0].child; i; i = nodes[i].sibling)
        if (!best || nodes[i].visits > nodes[best].visits)
            best = i;
    for (int i = 0; i < listed; i++)
        if (actions[i] == nodes[best].action)
            return i;
    return 0;
}
