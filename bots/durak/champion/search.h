/* A search tree over answers as all see them, in which every deal walks where it can, as in
 * [Cowling 2012]; each seat plays for its own points. */
#ifndef SEARCH_H
#define SEARCH_H

#include "deals.h"

typedef struct {
    uint64_t random;
    Deals deals;
} Search;

/* Returns 0 if the words can't be read. */
int begin_search(Search *search, int count, char **words);

/* The place of the best of these actions. */
int best_answer_of(Search *search, uint16_t *actions, int listed);

#endif
