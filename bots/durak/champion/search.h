/* A search tree over answers as all see them, in which every deal walks where it can, as in
 * [Cowling 2012], and each seat plays for its own points. Small endings are solved. */
#ifndef SEARCH_H
#define SEARCH_H

#include "deals.h"

typedef struct {
    Deals deals;
    uint64_t random;
} Search;

/* Returns 0 if the question can't be read. */
int begin_search(Search *search, const Question *question);

/* The place of the best of these actions, which are legal and two at least. */
int choose(Search *search, const uint16_t *actions, int listed);

/* The expected scores of these actions. */
void evaluate(Search *search, const uint16_t *actions, int listed, double *scores);

#endif
