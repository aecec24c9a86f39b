/* What hands announce: runs, fours of a kind and the belote. Cards are named, not places. */

#ifndef DECLARE_H
#define DECLARE_H

#include "cards.h"

enum { TIERCE, FIFTY, HUNDRED, FOUR, CLASSES };

/* All that one hand announces, when it wants the most points. */
typedef struct {
    uint8_t said[CLASSES];      /* how many of each class */
    int value;                  /* of these, */
    int belote;                 /* and of king and queen of trumps */
    int best;                   /* decides whose declaration is the best; 0 where there is none */
} Declared;

Declared declared_of(Cards hand, int strain);

/* What the declarations of four hands of eight cards count for both sides; `first` leads first. */
void award(const Declared by_seat[4], int first, int points[2]);

#endif
