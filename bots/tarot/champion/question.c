#include "champion.h"

#include <stdio.h>
#include <stdlib.h>

static const char RANKS[] = "123456789TJNQK", SUITS[] = "CDHS";
static const char *const BIDS[CHELEM] = {"pass", "petite", "garde", "sans", "contre"};

/* Reads a card and goes behind it. */
static int read_card(const char **text)
{
    const char *card = *text;
    *text += strcspn(card, ",/");
    if (*card == 'E')
        return EXCUSE;
    if (*card == 'A')
        return TRUMPS - 1 + atoi(card + 1);
    return (int)(SUIT * (strchr(SUITS, card[1]) - SUITS) + strchr(RANKS, *card) - RANKS);
}

static Hand read_cards(const char *text)
{
    Hand cards = {0, 0};
    if (*text != '-')
        do
            cards = with(cards, one_card(read_card(&text)));
        while (*text++ == ',');
    return cards;
}

static void read_bids(State *s, const char *text)
{
    for (int seat = 0; seat < 3; seat++, text += strcspn(text, ",") + 1)
        for (int bid = PASSED; bid <= CONTRE; bid++)
            if (!strncmp(text, BIDS[bid - PASSED], strlen(BIDS[bid - PASSED]))) {
                s->bids[seat] = (int8_t)bid;
                s->bidders++;
                if (text[strcspn(text, "!,")] == '!')
                    s->chelem |= (int8_t)(1 << seat);
            }
}

/* The next of the parts divided by slashes, each a seat, a colon and cards; NULL after the last. */
static const char *next_part(const char *text)
{
    text = strchr(text, '/');
    return text ? text + 1 : NULL;
}

/* Tables differ in the sizes; where ten trumps are one, what thirteen are worth is a guess. */
static void read_poignees(State *s, const char *text)
{
    for (; text && *text != '-'; text = next_part(text)) {
        Cards shown = s->shown[*text - '0'] = read_cards(text + 2).trumps;
        s->poignees += count(shown) >= 18 ? 40 : count(shown) >= 15 ? 30 : 20;
    }
}

static void play_tricks(State *s, const char *text)
{
    for (; text && *text != '-'; text = next_part(text)) {
        const char *card = text + 2;
        s->table.to_act = *text - '0';
        do
            tarot.apply(s, read_card(&card));
        while (*card++ == ',');
    }
}

State read_question(char **words)
{
    State s = {.phase = *words[1] == 'b' ? BID : *words[1] == 'd' ? DISCARD : PLAY};
    Options *options = (Options *)s.table.options;
    int seat = atoi(words[3]);
    options->petite = strstr(words[2], "petite") != NULL;
    s.table.seats = 3;
    s.dealer = atoi(words[4]);
    read_bids(&s, words[6]);
    s.taker = (int8_t)atoi(words[7]);
    s.dog = read_cards(words[9]);
    s.discard = read_cards(words[10]);
    read_poignees(&s, words[11]);
    play_tricks(&s, words[12]);
    play_tricks(&s, words[13]);
    s.hands[seat] = read_cards(words[5]);
    s.table.to_act = seat;
    return s;
}

void print_bid(int action)
{
    printf("%s%s", BIDS[(action - PASS) % CHELEM], action < PASS + CHELEM ? "" : "!");
}

void print_cards(Hand cards)
{
    for (const char *comma = ""; !is_empty(cards); comma = ",") {
        int card = take_card(&cards);
        if (card == EXCUSE)
            printf("%sEX", comma);
        else if (card >= TRUMPS)
            printf("%sA%d", comma, card - TRUMPS + 1);
        else
            printf("%s%c%c", comma, RANKS[card % SUIT], SUITS[card / SUIT]);
    }
}
