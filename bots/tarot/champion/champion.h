/* The parts of the champion. A question is a State in which its seat is to act and the cards that
 * this seat can't see are missing; a deal of the hidden cards fills them in. */
#ifndef CHAMPION_H
#define CHAMPION_H

#include "native/bot.h"
#include "native/tarot.h"

/* answers.c */

void print_bid(int action);

/* Prints an answer's score after it; a blank and another answer may follow. */
void print_score(double score);

/* Prints cards with commas between them. */
void print_cards(Hand cards);

/* rules.c: play by rule, which is how the others are expected to play and how deals are played out.
 * It is the bot tarot-points, answer for answer. */

/* The value of a hand: bouts, trumps, honours, and suits to be trumped. */
int hand_value(Hand hand);

/* The highest bid that such a value is worth. */
int bid_by_rule(int value);

/* The shortest suits without a king are emptied, their honours first. */
Hand discard_by_rule(Hand hand);

/* The trumps of a double or a single poignée, none where there are too few. */
Cards poignee_by_rule(Hand hand);

int card_by_rule(const State *s);

/* The highest or the lowest cards of a set: so many, or all. */
Cards some_of(Cards from, int wanted, int highest_first);

void put_away(State *s, Hand cards);

/* Plays all cards that are left. */
void play_out(State *s);

/* deals.c: deals of the hidden cards. */

enum { MOST_DEALS = 4000 };

/* Draws deals that agree with all that is certain, each as likely as any other. */
void draw_deals(const State *known, uint64_t *random, int deals);

/* Fills one of them in. Those in which the bids make sense come up more often. */
void fill_in(State *s, uint64_t *random);

/* bids.c, discards.c and search.c: the choices. */

/* What a bid is judged by: the hand, the turn and the bids before. */
enum { BID_FEATURES = 14 };
void features_of(const State *known, double features[BID_FEATURES]);

/* The bid that scores most, as an action. */
int choose_bid(const State *known, uint64_t *random);

/* Prints all legal bids and what they score on average. */
void evaluate_bids(const State *known, uint64_t *random);

Hand choose_discard(const State *known, uint64_t *random);

/* What to show with this first card, if anything. */
Cards choose_poignee(const State *known, uint64_t *random, int card);

/* Tries so many games at most. */
int choose_card(const State *known, uint64_t *random, int most_games);

/* Prints all legal cards and what they score on average, in so many games together. */
void evaluate_cards(const State *known, uint64_t *random, int games);

#endif
