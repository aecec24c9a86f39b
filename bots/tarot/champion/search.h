/* The choice of a card: Monte Carlo tree search over deals of the hidden cards. */

#ifndef SEARCH_H
#define SEARCH_H

#include "question.h"

/* Choose a card within a time and a number of games; less where no time would change the choice. */
int choose_card(const Question *q, double seconds, int most_games);

#endif
