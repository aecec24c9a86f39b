#include "score.h"

#include "cards.h"

enum { SHARE = 16, ALL_TRICKS = 25 };

int lead_of(const Contract *contract, int cards, const int declared[2])
{
    static const int FACTOR[2][3] = {{1, 2, 4}, {2, 3, 5}};
    const int worth = contract->level * FACTOR[contract->strain == NO_TRUMP][contract->doubled];
    const int ours = declared[0] / 10, theirs = declared[1] / 10;
    const bool swept = cards == CAPOT, lost_all = cards == ALL_POINTS - CAPOT;
    const int taken = lost_all ? 0 : cards;
    const bool made = taken + declared[0] >= 10 * contract->level && (swept || !contract->capot);
    if (!made)
        return -(worth + theirs + (lost_all ? ALL_TRICKS : SHARE));
    if (swept)
        return worth + ours + ALL_TRICKS - (contract->doubled ? 0 : theirs);
    if (contract->doubled)
        return worth + ours + SHARE;
    const int share = (taken + 4) / 10;
    return worth + ours + share - (SHARE - share) - theirs;
}
