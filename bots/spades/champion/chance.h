/* Random numbers that follow from a seed, so that the same question has the same answer. */

#ifndef CHANCE_H
#define CHANCE_H

#include <stdint.h>

typedef struct { uint64_t state; } Chance;

static inline uint64_t draw_bits(Chance *chance)
{
    chance->state += 0x9E3779B97F4A7C15ULL;
    uint64_t mixed = chance->state;
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9ULL;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBULL;
    return mixed ^ mixed >> 31;
}

/* A whole number from 0 and below `end`. */
static inline int draw_below(Chance *chance, int end)
{
    return (draw_bits(chance) >> 32) * (uint64_t)end >> 32;
}

/* A number from 0 to 1. */
static inline double draw_unit(Chance *chance) { return (draw_bits(chance) >> 11) * 0x1p-53; }

#endif
