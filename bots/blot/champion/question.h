/* A question of blot, taken apart. */

#ifndef QUESTION_H
#define QUESTION_H

#include "cards.h"
#include "declare.h"
#include "score.h"

#include <stdbool.h>

enum { PASS, CONTRA, RECONTRA, BID };

typedef struct {
    int kind, seat;
    int level, strain;          /* of a bid */
} Call;

typedef struct {
    int leader, count;
    int cards[4];               /* by name, in the order of play */
} Played;

enum { MOST_CALLS = 400 };

typedef struct {
    bool bidding;
    const char *legal;
    int seat, dealer;
    Cards hand;
    Call calls[MOST_CALLS];
    int call_count;
    bool bid;                   /* whether there is a contract */
    Contract contract;
    uint8_t said[4][CLASSES];   /* what each seat has announced */
    Cards shown[4];             /* cards that it has shown by that, as they were dealt */
    Played tricks[9];           /* the last one is on the table, and may be empty */
    int finished;               /* how many before that */
    int points[2];              /* card points so far, by side */
    bool open;                  /* whether all hands are known */
    Cards hands[4];
} Question;

/* Read the words of a question; false where they are none of blot's. Keeps hold of the text. */
bool read_question(Question *question, int count, char *words[]);

/* The legal cards, by name. */
Cards legal_cards(const Question *question);

/* Print the legal answer that plays this card and announces the most. */
void say_card(const Question *question, int card);

/* What may be said in the auction. `lowest` is the lowest level that may be bid, or 0. */
typedef struct {
    bool contra, recontra, capot_only;
    int lowest;
} Choice;

Choice legal_calls(const Question *question);

#endif
