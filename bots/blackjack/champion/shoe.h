/* Which cards are still to come. A round is dealt from one pack, or first from what the table's last
   round left of one; when that runs out, a fresh one follows, whose cards nobody has seen, whatever
   lies on the table. */

#ifndef SHOE_H
#define SHOE_H

#include <stdbool.h>

enum { WORTHS = 10, PACK = 52, MOST_DEALT = 8192 };

/* Counts counted by worth: 0 is the ace, 1 the two, ... 9 all cards that count ten. */
typedef struct {
    int of[WORTHS];
    int size;
} Counts;

/* What may still come: `pool` is the pack that is dealt from. The dealer's hidden card is one of
   the pool, or, where `apart` is true, one of `hole`, what is left of the pack before. */
typedef struct {
    Counts pool, hole;
    bool apart;
} Coming;

typedef struct {
    char dealt[MOST_DEALT]; /* the cards of the hands that are over, in the order they were dealt */
    int count;
    int seats;              /* how many are dealt in, as far as is known */
} Shoe;

/* A new round. */
void new_shoe(Shoe *shoe);

/* The round begins with a pack that these cards are gone from. */
void go_on(Shoe *shoe, const char *gone);

/* A hand is over, and all its cards are seen: the dealer's two first, then the others as dealt. */
void settle(Shoe *shoe, const char *visible);

/* What is unseen, `visible` being the cards of this hand; the second one is hidden. */
Coming coming(Shoe *shoe, const char *visible);

/* A whole pack. */
Counts whole_pack(void);

/* What a card counts, 0 to 9 as above, or -1. */
int worth_of(char card);

#endif
