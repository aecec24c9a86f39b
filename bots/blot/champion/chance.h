/* Random numbers: xorshift64*, with a seed, so that the same question draws the same deals. */

#ifndef CHANCE_H
#define CHANCE_H

#include <stdint.h>

typedef struct {
    uint64_t state;
} Chance;

static inline Chance chance_of(uint64_t seed) { return (Chance){seed * 0x9E3779B97F4A7C15u | 1}; }

/* A number from 0 up to 1. */
static inline double drawn(Chance *chance)
{
    uint64_t x = chance->state;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    chance->state = x;
    return (x * 0x2545F4914F6CDD1Du >> 11) * 0x1p-53;
}

#endif
