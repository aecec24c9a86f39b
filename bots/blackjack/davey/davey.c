/* Davey: a card counter that lives for one question, after BlackJackDavey of [KOTH 2011].

   It takes the cards it can see out of a deck and asks what the average unseen card is worth. As
   long as that card does not carry it over 21, it draws. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DECK = 52, BUY_IN = 10 };

static int worth(char card, int ace)
{
    switch (card) {
    case 'A': return ace;
    case 'T': case 'J': case 'Q': case 'K': return 10;
    default: return card - '0';
    }
}

/* The average worth of the unseen cards. A deck is reckoned at four times 55, three pictures and
   an ace; the card after its last one begins another. The hidden card is unseen: of a deck that has
   gone by completely but for it, nothing else is. */
static double average_unseen(const char *visible, int ace)
{
    const int deck_worth = 4 * (55 + 30 + ace);
    int sum = deck_worth, left = DECK, hidden = 0;

    for (; *visible; visible++) {
        if (left == 0) {
            left = DECK;
            sum += deck_worth;
        }
        left--;
        if (*visible == '#')
            hidden++;
        else
            sum -= worth(*visible, ace);
    }
    return (double)sum / (left + hidden);
}

int main(int argc, char *argv[])
{
    if (argc != 6)
        return 2;
    const int score = atoi(argv[1]), stake = atoi(argv[4]), chips = atoi(argv[5]);
    const char *hand = argv[2], *visible = argv[3];

    if (0 < chips && chips < BUY_IN)            /* too few for another hand: all on this one */
        printf("B %d\n", chips);
    else if (strlen(hand) == 2 && stake == BUY_IN && (score == 10 || score == 11) && chips >= BUY_IN)
        puts("D");
    else if (score + average_unseen(visible, score > 10 ? 1 : 11) <= 21)
        puts("H");
    else
        puts(score > 14 ? "S" : "H");
    return 0;
}
