/* A search tree over actions as all see them taken, in which every deal walks only where it can, as
 * in [Cowling 2012]. From its leaves deals are played out. */
#ifndef TREE_H
#define TREE_H

#include "bot.h"

typedef struct {
    size_t size;        /* the bytes of a position, MOST_STATE at most */
    double exploration; /* C of the formula of UCT [Kocsis 2006], on the scale of the values */
    /* Fills in the cards that can't be seen: another deal each time. */
    void (*deal)(void *position, void *deals);
    /* Lists the actions that are worth trying; returns their number, 0 at the end. */
    int (*list)(const void *position, uint16_t *actions);
    void (*apply)(void *position, int action);
    /* The number of the value that the seat which acts wants to be high, its side or itself. */
    int (*side)(const void *position);
    /* Plays a position out and fills in what it comes to for every side. */
    void (*play_out)(void *position, double values[MOST_SEATS]);
    const uint16_t *tried; /* the actions that are tried at the root; NULL for all that `list` has */
    int count;             /* of these */
    int skips_forced;      /* whether an action that is the only one makes no node but at the root */
} Tree;

/* The action of the root that was tried most often, by so many games, or fewer if none of the others
 * can come first any more. */
int best_by_tree(const Tree *tree, const void *root, void *deals, int games, uint64_t *random);

/* Tries every action of the root equally often, in so many games together. Fills in the mean value
 * of each for the seat that acts; returns their number. */
int values_by_tree(const Tree *tree, const void *root, void *deals, int games, uint64_t *random,
                   uint16_t *actions, double *values);

#endif
