#include "discards.h"

#include "contest.h"
#include "deals.h"
#include "rules.h"

enum { MOST_DISCARDS = MOST_CHOICES - 1 };

/* Take some cards of a set, its highest or its lowest ones. */
static Cards some_of(Cards set, int count, int highest_first)
{
    Cards chosen = 0;
    for (; count; count--)
        chosen |= CARD(highest_first ? highest(set & ~chosen) : lowest(set & ~chosen));
    return chosen;
}

/* List discards: a number of cards of each suit, in all suits the highest or the lowest. */
static int list_discards(Cards may_go, Cards *found)
{
    int count = 0, length[TRUMPS], n[TRUMPS];
    for (int suit = CLUBS; suit < TRUMPS; suit++)
        length[suit] = size(may_go & OF_SUIT(suit));
    for (n[0] = 0; n[0] <= length[0]; n[0]++)
        for (n[1] = 0; n[1] <= length[1]; n[1]++)
            for (n[2] = 0; n[2] <= length[2]; n[2]++) {
                n[3] = DOG - n[0] - n[1] - n[2];
                if (n[3] < 0 || n[3] > length[3])
                    continue;
                for (int high = 0; high < 2; high++) {
                    Cards chosen = 0;
                    for (int suit = CLUBS; suit < TRUMPS; suit++)
                        chosen |= some_of(may_go & OF_SUIT(suit), n[suit], high);
                    if (count < MOST_DISCARDS)
                        found[count++] = chosen;
                }
            }
    return count;
}

Cards choose_discard(const Question *q, double seconds)
{
    static Cards found[MOST_CHOICES];
    Stakes stakes = {.contract = q->contract, .chelem = q->chelem};
    const Pool *pool = deal_pool(q, 1000);
    Contest contest;
    int count;
    if (q->legal & ALL_TRUMPS)
        return discard_by_rule(q->hand, q->legal);
    found[0] = discard_by_rule(q->hand, q->legal);
    count = 1 + list_discards(q->legal, found + 1);
    contest = begin_contest(count, seconds);
    while (goes_on(&contest)) {
        for (int trial = 0; trial < BATCH; trial++) {
            Position before = new_position(q->taker, q->chelem ? q->taker : q->first);
            deal_out(&before, q, draw(pool));
            for (int i = 0; i < count; i++) {
                Position p = before;
                if (!contest.alive[i])
                    continue;
                p.discard = found[i];
                p.hands[q->seat] &= ~found[i];
                count_aside(&p, found[i]);
                play_out(&p);
                contest.batch[i] += score(price(&p, &stakes), q->seat, q->taker);
            }
        }
        end_batch(&contest);
    }
    return found[winner(&contest)];
}

Cards choose_poignee(const Question *q, int card)
{
    enum { TRIALS = 400 };
    Cards shown = poignee_by_rule(q->hand);
    Stakes stakes = stakes_of(q);
    Position table = table_of(q);
    const Pool *pool;
    int won = 0;
    if (!shown)
        return 0;
    pool = deal_pool(q, TRIALS);
    for (int trial = 0; trial < TRIALS; trial++) {
        Position p = dealt(&table, q, draw(pool));
        play(&p, card);
        play_out(&p);
        won += score(price(&p, &stakes), q->seat, q->taker) > 0;
    }
    return won > 0.55 * TRIALS ? shown : 0;
}
