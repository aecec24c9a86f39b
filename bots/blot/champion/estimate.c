#include "estimate.h"

#include <math.h>

static const double EVEN = ALL_POINTS / 2;

/* Fitted by fit.py: without trumps, and with. */
static const double WEIGHTS[2][FEATURES] = {
#include "weights.h"
};

static const Cards RANK = 0x01010101;       /* the lowest place of every suit */

/* How many more of some cards side 0 holds. */
static int surplus(const Cards sides[2], Cards cards)
{
    return count_of(cards & sides[0]) - count_of(cards & sides[1]);
}

void features_of(const Cards hands[4], const Order *order, int leader, double features[FEATURES])
{
    const Cards sides[2] = {hands[0] | hands[2], hands[1] | hands[3]};
    const Cards trumps = order->trumps, plain = ~trumps, tens = RANK << 6, aces = RANK << 7;
    const int leads = leader & 1 ? -1 : 1;
    int most_trumps[2] = {0}, longest[2] = {0}, voids[2] = {0};
    int with_ace[2] = {0}, bare_tens[2] = {0};

    for (int seat = 0; seat < 4; seat++) {
        const int side = seat & 1, length = count_of(hands[seat] & trumps);
        if (length > most_trumps[side])
            most_trumps[side] = length;
        for (Cards suit = 0xFF; suit; suit <<= 8) {
            const Cards held = hands[seat] & suit;
            if (suit & trumps)
                continue;
            if (count_of(held) > longest[side])
                longest[side] = count_of(held);
            voids[side] += !held && (length || !trumps);
            with_ace[side] += held & aces ? count_of(held) : 0;
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

double estimate(const Cards hands[4], const Order *order, int leader)
{
    double features[FEATURES], sum = EVEN;
    features_of(hands, order, leader, features);
    for (int i = 0; i < FEATURES; i++)
        sum += WEIGHTS[order->trumps != 0][i] * features[i];
    return sum;
}

double without_leap(int value)
{
    return value == CAPOT ? SWEPT : value == ALL_POINTS - CAPOT ? LOST_ALL : value;
}

int with_leap(double guess)
{
    if (guess >= SWEEP_FROM)
        return CAPOT;
    if (guess <= NONE_UNTIL)
        return ALL_POINTS - CAPOT;
    return (int)fmin(fmax(round(guess), 0), ALL_POINTS);
}
