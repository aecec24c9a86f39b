/* A question, parsed: what a seat is asked, and everything that it may know. */

#ifndef QUESTION_H
#define QUESTION_H

#include "cards.h"
#include "position.h"

/* A bid: a contract, and whether all tricks are announced with it; NOT_YET before there is one. */
enum { NOT_YET = -1, ANNOUNCED = 8 };

typedef struct {
    int leader, count, cards[SEATS];
} Trick;

/* `phase` is the first letter of the word. `bids` are contracts with ANNOUNCED added where all
   tricks are; `legal_bids` has a bit for every such number. `taker` is -1 while there is none.
   `tricks` are all with a card in them, the last one perhaps unfinished; `dog` is empty where it
   was not seen. `first` bids first. */
typedef struct {
    char phase;
    Cards legal, hand, dog, discard, shown[SEATS];
    unsigned legal_bids;
    int seat, first, bids[SEATS], taker, contract, chelem, defence_chelem;
    int poignees, tricks_begun;
    Trick tricks[TRICKS];
} Question;

/* Read the words of a question; a seventeenth, all hands of an open table, is left out. */
Question read_question(char *words[]);

/* Say whether the taker takes the dog in hand and puts six cards away. */
static inline int takes_dog(int contract)
{
    return contract == PETITE || contract == GARDE;
}

/* All cards that a seat had after the deal or, as a taker, after its discard, given what it holds
   now: with those that it has played. */
Cards with_played(const Question *q, int seat, Cards holds);

/* What lies on the table of a question of the play: a position in which nobody has any cards. */
Position table_of(const Question *q);

/* What a question of the play is played for. */
Stakes stakes_of(const Question *q);

/* The name of a bid. */
const char *bid_name(int bid);

#endif
