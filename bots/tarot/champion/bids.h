/* Bids: what a hand scores on average after each of them, by weights fitted to deals that this bot
   played. */

#ifndef BIDS_H
#define BIDS_H

#include "question.h"

/* What a bid is judged by: the hand, what was bid before, and in which turn. */
enum { FEATURES = 14 };
void features_of(const Question *q, double features[FEATURES]);

/* The bid that scores most; all tricks are announced where most deals come to that. */
int choose_bid(const Question *q);

#endif
