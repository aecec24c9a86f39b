/* A quick guess at what a deal comes to on open hands, without a search: a sum over who holds what.
 *
 * It is wrong by 16 points (standard deviation, in deals that it was not fitted to), but in a
 * microsecond, and a mean over many deals needs little more. */
#ifndef ESTIMATE_H
#define ESTIMATE_H

#include "native/blot.h"

enum { FEATURES = 23, ERROR = 16 };

/* Values that a sweep makes leap are taken for these, and guesses beyond the limits for sweeps. */
enum { SWEPT = ALL_POINTS + 10, LOST_ALL = -10, SWEEP_FROM = ALL_POINTS + 4, NONE_UNTIL = -4 };

/* What the guess is made of, each number from side 0's view. */
void features_of(const Position *position, double features[FEATURES]);

/* The points of side 0 before the first lead, about: the solver's value, with the numbers above for
 * sweeps. */
double estimate(const Position *position);

/* A value of the solver on the scale of `estimate`, and back. */
double without_leap(int value);
int with_leap(double guess);

#endif
