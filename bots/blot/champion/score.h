/* What a contract comes to, by the rules of a table whose options say nothing. */

#ifndef SCORE_H
#define SCORE_H

#include <stdbool.h>

enum { LOWEST_LEVEL = 8, HIGHEST_LEVEL = 80 };

typedef struct {
    int level, strain;
    bool capot;
    int doubled;        /* 1 after a contra, 2 after a recontra */
    int seat;
} Contract;

/* The score of the bidders' side less that of the other one. `cards` are the card points of the
   bidders: 252 where they took all tricks, -90 where they took none. `declared` is what each side's
   declarations count, the bidders' first. */
int lead_of(const Contract *contract, int cards, const int declared[2]);

#endif
