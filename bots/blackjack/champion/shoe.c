#include "shoe.h"

#include <ctype.h>
#include <string.h>

enum { HIDDEN = '#', MOST_SEATS = 4 };

int worth_of(char card)
{
    const char *found = card ? strchr("A23456789TJQK", toupper((unsigned char)card)) : NULL;
    if (!found)
        return -1;
    const int worth = (int)(found - "A23456789TJQK");
    return worth < WORTHS ? worth : WORTHS - 1;
}

Counts whole_pack(void)
{
    return (Counts){{4, 4, 4, 4, 4, 4, 4, 4, 4, 16}, PACK};
}

void new_shoe(Shoe *shoe)
{
    shoe->count = 0;
    shoe->seats = MOST_SEATS;
}

/* Puts cards in the order they were dealt: the dealer's two came after everybody's first and after
   everybody's second. */
static int in_order(const Shoe *shoe, const char *visible, char *dealt)
{
    const int count = (int)strlen(visible), first = shoe->seats, second = 2 * shoe->seats;
    int at = 0;
    for (int other = 0; at < count; other++) {
        if (other == first)
            dealt[at++] = visible[0];
        if (other == second)
            dealt[at++] = visible[1];
        if (at < count)
            dealt[at++] = visible[2 + other];
    }
    return at;
}

void go_on(Shoe *shoe, const char *gone)
{
    shoe->count = (int)strlen(gone);
    if (shoe->count >= PACK)
        shoe->count = 0;
    memcpy(shoe->dealt, gone, shoe->count);
}

void settle(Shoe *shoe, const char *visible)
{
    if (shoe->count + strlen(visible) < MOST_DEALT)
        shoe->count += in_order(shoe, visible, shoe->dealt + shoe->count);
}

/* Take the cards out of one pack after the other; false where they can't have come like that. */
static bool counted(const char *cards, int count, Coming *unseen)
{
    bool hidden = false;
    *unseen = (Coming){.pool = whole_pack()};
    for (int i = 0; i < count; i++) {
        if (i && i % PACK == 0) {
            if (hidden)
                unseen->hole = unseen->pool;
            unseen->apart = unseen->apart || hidden;
            unseen->pool = whole_pack();
            hidden = false;
        }
        if (cards[i] == HIDDEN) {
            hidden = true;
            continue;
        }
        const int worth = worth_of(cards[i]);
        if (worth < 0 || --unseen->pool.of[worth] < 0)
            return false;
        unseen->pool.size--;
    }
    return true;
}

Coming coming(Shoe *shoe, const char *visible)
{
    Coming unseen;
    const int count = (int)strlen(visible), seats = count / 2 - 1;
    if (seats < shoe->seats)
        shoe->seats = seats > 1 ? seats : 1;
    if (shoe->count + count >= MOST_DEALT)
        shoe->count = 0;
    const int now = in_order(shoe, visible, shoe->dealt + shoe->count);
    if (counted(shoe->dealt, shoe->count + now, &unseen))
        return unseen;
    memmove(shoe->dealt, shoe->dealt + shoe->count, now);
    shoe->count = 0;            /* it wasn't so: count from this hand on */
    if (!counted(shoe->dealt, now, &unseen))
        unseen = (Coming){.pool = whole_pack()};
    return unseen;
}
