/* A round of spades as one seat knows it, and as it may go on. */
#ifndef POSITION_H
#define POSITION_H

#include "native/bot.h"
#include "native/spades.h"

enum { NIL = 0, EIGHT = 6, JACK = 9, QUEEN, KING, ACE };    /* ranks */

static const Cards ALL_CARDS = ((Cards)1 << CARDS) - 1, ALL_SPADES = (Cards)0x1FFF << TRUMPS;

/* `lacks` are the cards that everybody knows a seat can't hold. */
typedef struct {
    State state;
    Cards lacks[4];
} Round;

/* What a seat is asked. The hands of the others are empty. */
typedef struct {
    Round first;            /* before the first card, with the hands empty */
    Round round;            /* now */
    Cards played[4];        /* by seat */
    Cards unseen;
    int seat;
    uint64_t random;
} Position;

/* Reads a question's words; returns 0 if it is not one of spades. */
int read_position(Position *position, const Question *question);

void shuffle(uint8_t pack[CARDS], uint64_t *random);

/* Plays a card of the seat to act. */
void play(Round *round, int card);

/* Whether it is all the same which of two of its cards the seat to act plays, if it has not seen
 * these other ones. */
int are_equal(const State *s, int a, int b, Cards unseen);

/* Lists the cards that the seat to act may play, of equal ones the lowest, if it has not seen these
 * other ones; returns their number. */
int distinct(const State *s, Cards unseen, uint16_t *cards);

/* The tricks that the side of a seat still needs for its contract; a failed nil's don't help. */
int missing(const State *s, int seat);

static inline int partner_of(int seat) { return (seat + 2) & 3; }
static inline int next_of(int seat) { return (seat + 1) & 3; }
static inline int rank_of(int card) { return card % 13; }
static inline int is_spade(int card) { return card >= TRUMPS; }
static inline int led(const State *s) { return s->order[s->played - s->laid]; }
static inline int tries_nil(const State *s, int seat) { return !s->bids[seat] && !s->took[seat]; }

/* The cards of the same suit that beat a card. */
static inline Cards higher(int card) { return suit_of(card) & ~(Cards)1 << card; }

/* The cards that the seat to act doesn't see. */
static inline Cards others_hold(const State *s)
{
    Cards all = s->hands[0] | s->hands[1] | s->hands[2] | s->hands[3];
    return all & ~s->hands[s->table.to_act];
}

/* What it costs to part with a card: spades are dearer than any other. */
static inline int cost(int card) { return rank_of(card) + 13 * is_spade(card); }

#endif
