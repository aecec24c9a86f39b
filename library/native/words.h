/* Reading the words of questions. */
#ifndef WORDS_H
#define WORDS_H

#include "game.h"

#include <stdio.h>
#include <stdlib.h>

/* A card such as `KH` by its rank among `ranks` and its suit; 0 for what is no card. */
static inline int read_card(const char *text, const char *ranks)
{
    static const char suits[] = "CDHS";
    const char *rank = text[0] ? strchr(ranks, text[0]) : NULL;
    const char *suit = rank && text[1] ? strchr(suits, text[1]) : NULL;
    return suit ? (int)((suit - suits) * (ptrdiff_t)strlen(ranks) + (rank - ranks)) : 0;
}

/* Cards with commas between them, up to a stroke; `-` is none. What follows a card is passed over. */
static inline Cards read_cards(const char *text, const char *ranks)
{
    Cards cards = 0;
    while (*text && *text != '-' && *text != '/') {
        cards |= bit(read_card(text, ranks));
        text += strcspn(text, ",/");
        text += *text == ',';
    }
    return cards;
}

/* The text after the next such letter; NULL if there is none. */
static inline const char *after(const char *text, char letter)
{
    const char *found = text ? strchr(text, letter) : NULL;
    return found ? found + 1 : NULL;
}

/* Numbers with commas between them. */
static inline void read_numbers(const char *text, int32_t *numbers, int count)
{
    for (int i = 0; text && i < count; i++, text = after(text, ','))
        numbers[i] = atoi(text);
}

#endif
