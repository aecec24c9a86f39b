#include "search.h"

#include "native/solver.h"
#include "native/tree.h"
#include "rules.h"

#include <limits.h>

#ifndef BUDGET
#define BUDGET 20000 /* games played for an answer: some 30 ms */
#endif

enum { MOST_SOLVED = 12 }; /* cards in the hands and on the table: 1 ms, 17 ms at most */

static const double EXPLORATION = .7; /* C of the formula of UCT [Kocsis 2006] */

int begin_search(Search *search, const Question *question)
{
    search->random = question->random;
    return begin_deals(&search->deals, question);
}

static void deal(void *position, void *deals) { next_deal(deals, position); }

static int list(const void *position, uint16_t *actions)
{
    const State *s = position;
    return s->table.to_act < 0 ? 0 : durak.legal(s, actions);
}

static int side(const void *position) { return ((const State *)position)->table.to_act; }

static void play_rest(void *position, double *values) { play_out(position, values); }

static Tree tree_of(const uint16_t *tried, int count)
{
    return (Tree){sizeof(State), EXPLORATION, deal, list, durak.apply, side, play_rest,
                  tried, count, 1};
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
    solve_ending(&search->deals.state, &values);
    int left = list_best(&values, actions, listed, tried), best = left ? tried[0] : actions[0];
    Tree tree = tree_of(tried, left);
    if (left > 1)
        best = best_by_tree(&tree, &search->deals.state, &search->deals, BUDGET, &search->random);
    for (int i = 0; i < listed; i++)
        if (actions[i] == best)
            return i;
    return 0;
}

void evaluate(Search *search, const uint16_t *actions, int listed, double *scores)
{
    const State *s = &search->deals.state;
    uint16_t tried[MOST_ANSWERS];
    Tree tree = tree_of(actions, listed);
    Values values;
    solve_ending(s, &values);
    if (!values.listed) {
        values_by_tree(&tree, s, &search->deals, BUDGET, &search->random, tried, scores);
        for (int i = 0; i < listed; i++)
            scores[i] *= most_points(s);
    }
    for (int i = 0; i < listed; i++)
        for (int j = 0; j < values.listed; j++)
            if (actions[i] == values.actions[j])
                scores[i] = 1 + values.leads[j] / 2.;
}
