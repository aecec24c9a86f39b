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
    /* Whether the seat that acts wants the value to be high. */
    int (*raises)(const void *position);
    /* Plays a position out and returns what it comes to. */
    double (*play_out)(void *position);
} Tree;

/* The action of the root that was tried most often, by so many games, or fewer if none of the others
 * can come first any more. */
int best_by_tree(const Tree *tree, const void *root, void *deals, int games, uint64_t *random);

/* Tries every action of the root equally often, in so many games together. Fills in the mean value
 * of each action as `list` lists them; returns their number. */
int values_by_tree(const Tree *tree, const void *root, void *deals, int games, uint64_t *random,
                   uint16_t *actions, double *values);

#endif
