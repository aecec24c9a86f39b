/* A question of the arena's, read. */

#ifndef QUESTION_H
#define QUESTION_H

#include "round.h"
#include "worth.h"

typedef enum { BLIND, BID, PASS, PLAY } Phase;

/* The cards of the round so far, in their order and by seat. */
typedef struct {
    int count, card[52], first;     /* the seat that led first */
    Cards by[4];
} Played;

typedef struct {
    Phase phase;
    Round round;            /* it is the asked seat's turn; the other hands are empty */
    Cards legal;            /* the cards that may be played or passed */
    int low, high;          /* the bids that may be made */
    int dealer;
    Played played;
    Standing standing;
    uint64_t seed;          /* follows from the words */
} Question;

/* Read a question's words. Say whether it is one of spades. */
int read_question(Question *question, int count, char *words[]);

/* Write a card as the protocol does, `7H`. */
void write_card(int card, char text[3]);

#endif
