#include "cards.h"

#include <string.h>

const Trick NO_CARDS = {.led = 0, .best = 0, .winner = 0, .pot = 0, .left = 4};

static const char SUITS[] = "CDHS", RANKS[] = "789TJQKA";

static const struct Strength {
    uint8_t rank, points;
} PLAIN[8] = {{SEVEN, 0}, {EIGHT, 0}, {NINE, 0}, {JACK, 2},
              {QUEEN, 3}, {KING, 4}, {TEN, 10}, {ACE, 11}},
  TRUMP[8] = {{SEVEN, 0}, {EIGHT, 0}, {QUEEN, 3}, {KING, 4},
              {TEN, 10}, {ACE, 11}, {NINE, 14}, {JACK, 20}};
enum { ACE_AT_NO_TRUMP = 19 };

static Order made(int strain)
{
    Order order = {.trumps = strain == NO_TRUMP ? 0 : 0xFF000000};
    int place = 0;
    for (int step = 1; step <= 4; step++) {     /* the suit after the trumps first, so these last */
        const int suit = strain == NO_TRUMP ? step - 1 : (strain + step) % 4;
        for (int height = 0; height < 8; height++, place++) {
            const struct Strength one = (suit == strain ? TRUMP : PLAIN)[height];
            const int name = 8 * suit + one.rank;
            order.place[name] = place;
            order.name[place] = name;
            order.points[place] =
                strain == NO_TRUMP && one.rank == ACE ? ACE_AT_NO_TRUMP : one.points;
        }
    }
    return order;
}

const Order *order_of(int strain)
{
    static Order orders[STRAINS];
    static int ready;
    if (!ready)
        for (; ready < STRAINS; ready++)
            orders[ready] = made(ready);
    return &orders[strain];
}

static Cards mapped(const uint8_t *to, Cards cards)
{
    Cards found = 0;
    for (; cards; cards &= cards - 1)
        found |= bit(to[lowest(cards)]);
    return found;
}

Cards to_places(const Order *order, Cards names) { return mapped(order->place, names); }
Cards to_names(const Order *order, Cards places) { return mapped(order->name, places); }

int points_of(const Order *order, Cards places)
{
    int sum = 0;
    for (; places; places &= places - 1)
        sum += order->points[lowest(places)];
    return sum;
}

int read_card(const char *text)
{
    const char *rank = text[0] ? strchr(RANKS, text[0]) : NULL;
    const char *suit = rank && text[1] ? strchr(SUITS, text[1]) : NULL;
    return suit ? (int)(8 * (suit - SUITS) + rank - RANKS) : -1;
}

int read_strain(char letter)
{
    const char *found = letter ? strchr("CDHSN", letter) : NULL;
    return found ? (int)(found - "CDHSN") : -1;
}
