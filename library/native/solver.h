/* The exact value of every legal action of a deal with open hands, in points. */
#ifndef SOLVER_H
#define SOLVER_H

#include "game.h"

typedef struct Solver Solver;

Solver *new_solver(void); /* NULL without memory */
void free_solver(Solver *solver);

/* Lists the legal actions and what each brings the acting side more than the other one until the
 * end of the deal, if both sides play as well as they can; returns their number, -1 where the deal
 * can't be solved. */
int solve(Solver *solver, const Game *game, const void *state, uint16_t *actions, int32_t *values);

#endif
