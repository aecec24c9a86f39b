#include "estimate.h"

#include <math.h>

static const double EVEN = ALL_POINTS / 2;

/* Fitted by fit.py: without trumps, and with. */
static const double WEIGHTS[2][FEATURES] = {
#include "weights.h"
};

static const Places RANK = 0x01010101; /* the lowest place of every suit */

/* How many more of some cards side 0 holds. */
static int surplus(const Places sides[2], Places cards)
{
    return count(cards & sides[0]) - count(cards & sides[1]);
}

void features_of(const Position *position, double features[FEATURES])
{
    const Places *hands = position->hands;
    const Places sides[2] = {hands[0] | hands[2], hands[1] | hands[3]};
    Places trumps = position->order.trumps, plain = ~trumps, tens = RANK << 6, aces = RANK << 7;
    int leads = position->seat % 2 ? -1 : 1;
    int most_trumps[2] = {0}, longest[2] = {0}, voids[2] = {0};
    int with_ace[2] = {0}, bare_tens[2] = {0};

    for (int seat = 0; seat < 4; seat++) {
        int side = seat % 2, length = count(hands[seat] & trumps);
        if (length > most_trumps[side])
            most_trumps[side] = length;
        for (Places suit = 0xFF; suit; suit <<= 8) {
            Places held = hands[seat] & suit;
            if (suit & trumps)
                continue;
            if (count(held) > longest[side])
                longest[side] = count(held);
            voids[side] += !held && (length || !trumps);
            with_ace[side] += held & aces ? count(held) : 0;
            bare_tens[side] += held && held == (held & tens);
        }
    }
    double *next = features;
    for (int height = 0; height < 8; height++) {
        *next++ = surplus(sides, RANK << height & plain);
        *next++ = surplus(sides, RANK << height & trumps);
    }
    *next++ = leads;
    *next++ = leads * surplus(sides, aces & plain);
    *next++ = most_trumps[0] - most_trumps[1];
    *next++ = longest[0] - longest[1];
    *next++ = voids[0] - voids[1];
    *next++ = with_ace[0] - with_ace[1];
    *next++ = bare_tens[0] - bare_tens[1];
}

double estimate(const Position *position)
{
    double features[FEATURES], sum = EVEN;
    features_of(position, features);
    for (int i = 0; i < FEATURES; i++)
        sum += WEIGHTS[position->order.trumps != 0][i] * features[i];
    return sum;
}

double without_leap(int value)
{
    return value == MOST_POINTS ? SWEPT : value == -SWEEP ? LOST_ALL : value;
}

int with_leap(double guess)
{
    if (guess >= SWEEP_FROM)
        return MOST_POINTS;
    if (guess <= NONE_UNTIL)
        return -SWEEP;
    return (int)fmin(fmax(round(guess), 0), ALL_POINTS);
}
