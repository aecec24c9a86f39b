#include "search.h"

#include "native/solver.h"
#include "rules.h"

#include <limits.h>
#include <math.h>

#ifndef BUDGET
#define BUDGET 20000 /* games played for an answer: some 30 ms */
#endif

enum { MOST_SOLVED = 14 }; /* cards in the hands and on the table: up to some 10 ms */

enum { MOST_NODES = BUDGET + 1, LONGEST_WAY = 128, WIDTH = ACTIONS / 64 + 1 };

static const double EXPLORATION = .7; /* C of the formula of UCT [Kocsis 2006] */

/* An action after those above it: how often it was taken, the sum of what it brought the seat that
 * took it, and how often it could have been taken. 0, the root, is nobody's child or sibling. */
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

/* The child of the highest bound. */
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
static int choose_child(int node, const uint16_t *actions, int listed, uint64_t *random,
                        int *is_new)
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

int begin_search(Search *search, const Question *question)
{
    search->random = question->random;
    return begin_deals(&search->deals, question);
}

/* Plays a game that begins with one of the actions, by the tree and then by the rule players. */
static void play_game(Search *search, const uint16_t *actions, int listed)
{
    State s = search->deals.state;
    int way[LONGEST_WAY], seats[LONGEST_WAY], length = 0, node = 0, is_new = 0;
    uint16_t legal[MOST_ACTIONS];
    double values[MOST_SEATS];
    next_deal(&search->deals, &s);
    while (!is_new && s.table.to_act >= 0 && used < MOST_NODES && length < LONGEST_WAY) {
        if (length) {
            listed = durak.legal(&s, legal);
            actions = legal;
        }
        int action = actions[0];
        if (listed > 1 || !length) {
            node = choose_child(node, actions, listed, &search->random, &is_new);
            seats[length] = s.table.to_act;
            way[length++] = node;
            action = nodes[node].action;
        }
        durak.apply(&s, action);
    }
    play_out(&s, values);
    for (int i = 0; i < length; i++) {
        nodes[way[i]].visits++;
        nodes[way[i]].sum += values[seats[i]];
    }
}

static void begin_tree(void)
{
    nodes[0] = (Node){0};
    used = 1;
}

/* What each legal action brings the acting side more than the other one. */
typedef struct {
    uint16_t actions[MOST_ACTIONS];
    int32_t leads[MOST_ACTIONS];
    int listed; /* 0 where it is not known */
} Values;

/* Solves small endings of two, where all is known. */
static void solve_ending(const State *s, Values *values)
{
    static Solver *solver;
    int cards = s->attacked + s->defended, listed = -1;
    for (int seat = 0; seat < s->table.seats; seat++)
        cards += count(s->hands[seat]);
    if (!solver)
        solver = new_solver();
    if (solver && !s->left_in_talon && cards <= MOST_SOLVED)
        listed = solve(solver, &durak, s, values->actions, values->leads);
    values->listed = listed < 0 ? 0 : listed;
}

/* Lists those of the actions that are worth most; all of them where that is not known. */
static int list_best(const Values *values, const uint16_t *actions, int listed, uint16_t *best)
{
    int most = INT_MIN, kept = 0;
    for (int i = 0; i < values->listed; i++)
        if (values->leads[i] > most)
            most = values->leads[i];
    for (int i = 0; i < listed; i++) {
        int is_best = !values->listed;
        for (int j = 0; j < values->listed; j++)
            is_best |= values->actions[j] == actions[i] && values->leads[j] == most;
        if (is_best)
            best[kept++] = actions[i];
    }
    return kept;
}

int choose(Search *search, const uint16_t *actions, int listed)
{
    uint16_t tried[MOST_ANSWERS];
    Values values;
    int best = 0;
    solve_ending(&search->deals.state, &values);
    int left = list_best(&values, actions, listed, tried);
    begin_tree();
    nodes[0].action = left ? tried[0] : actions[0];
    for (int game = 0; left > 1 && game < BUDGET; game++)
        play_game(search, tried, left);
    for (int i = nodes[0].child; i; i = nodes[i].sibling)
        if (!best || nodes[i].visits > nodes[best].visits)
            best = i;
    for (int i = 0; i < listed; i++)
        if (actions[i] == nodes[best].action)
            return i;
    return 0;
}

void evaluate(Search *search, const uint16_t *actions, int listed, double *scores)
{
    const State *s = &search->deals.state;
    Values values;
    solve_ending(s, &values);
    begin_tree();
    for (int game = 0; !values.listed && game < BUDGET; game++)
        play_game(search, &actions[game % listed], 1);
    for (int i = 0; i < listed; i++) {
        for (int j = 0; j < values.listed; j++)
            if (actions[i] == values.actions[j])
                scores[i] = 1 + values.leads[j] / 2.;
        for (int j = nodes[0].child; j; j = nodes[j].sibling)
            if (actions[i] == nodes[j].action)
                scores[i] = most_points(s) * nodes[j].sum / nodes[j].visits;
    }
}
