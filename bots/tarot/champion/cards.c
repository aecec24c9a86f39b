#include "cards.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char RANKS[] = "123456789TJNQK", SUITS[] = "CDHS";

int worth_of(Cards set)
{
    int card, sum = 0;
    EACH (card, set)
        sum += worth(card);
    return sum;
}

int read_card(const char **text)
{
    const char *at = *text, *rank = *at ? strchr(RANKS, *at) : NULL;
    char *after;
    long trump;
    if (rank) {
        *text += 2;
        return 14 * (int)(strchr(SUITS, at[1]) - SUITS) + (int)(rank - RANKS);
    }
    if (*at == 'E') {
        *text += 2;
        return EXCUSE;
    }
    trump = strtol(at + 1, &after, 10);
    *text = after;
    return PETIT - 1 + (int)trump;
}

Cards read_cards(const char *text)
{
    Cards set = 0;
    if (*text == '-')
        return 0;
    set |= CARD(read_card(&text));
    while (*text++ == ',')
        set |= CARD(read_card(&text));
    return set;
}

void print_card(int card)
{
    if (card == EXCUSE)
        printf("EX");
    else if (card >= PETIT)
        printf("A%d", card - PETIT + 1);
    else
        printf("%c%c", RANKS[card % 14], SUITS[card / 14]);
}

void print_cards(Cards set)
{
    int card;
    EACH (card, set) {
        print_card(card);
        if (left_ & (left_ - 1))
            putchar(',');
    }
}
