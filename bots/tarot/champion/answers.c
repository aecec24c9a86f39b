#include "champion.h"

#include <stdio.h>

void print_bid(int action)
{
    static const char *const bids[CHELEM] = {"pass", "petite", "garde", "sans", "contre"};
    printf("%s%s", bids[(action - PASS) % CHELEM], action < PASS + CHELEM ? "" : "!");
}

void print_cards(Hand cards)
{
    static const char ranks[] = "123456789TJNQK", suits[] = "CDHS";
    for (const char *comma = ""; !is_empty(cards); comma = ",") {
        int card = take_card(&cards);
        if (card == EXCUSE)
            printf("%sEX", comma);
        else if (card >= TRUMPS)
            printf("%sA%d", comma, card - TRUMPS + 1);
        else
            printf("%s%c%c", comma, ranks[card % SUIT], suits[card / SUIT]);
    }
}

void print_score(double score) { printf("=%.2f ", score); }
