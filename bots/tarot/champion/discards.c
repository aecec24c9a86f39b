/* Discards and poignées: the best in deals that are played out from it. */
#include "champion.h"

enum { MOST_TRIALS = 1000 };

/* Lists discards: a number of cards of each suit, in all suits the highest or the lowest. */
static int list_discards(Cards may_go, Hand *discards, int listed)
{
    int length[4], n[4];
    for (int suit = 0; suit < 4; suit++)
        length[suit] = count(may_go & suit_of(SUIT * suit));
    for (n[0] = 0; n[0] <= length[0]; n[0]++)
        for (n[1] = 0; n[1] <= length[1]; n[1]++)
            for (n[2] = 0; n[2] <= length[2]; n[2]++) {
                n[3] = DOG - n[0] - n[1] - n[2];
                if (n[3] < 0 || n[3] > length[3])
                    continue;
                for (int high = 0; high < 2 && listed < MOST_ANSWERS; high++) {
                    Cards chosen = 0;
                    for (int suit = 0; suit < 4; suit++)
                        chosen |= some_of(may_go & suit_of(SUIT * suit), n[suit], high);
                    discards[listed++] = (Hand){chosen, 0};
                }
            }
    return listed;
}

Hand choose_discard(const State *known, uint64_t *random)
{
    static Race race;
    Hand hand = known->hands[known->taker], may_go = may_be_put_away(hand);
    Hand discards[MOST_ANSWERS] = {discard_by_rule(hand)};
    if (may_go.trumps)
        return discards[0];
    begin_race(&race, list_discards(may_go.suits, discards, 1), 32);
    draw_deals(known, random, 1000);
    do {
        State before = *known;
        fill_in(&before, random);
        for (int i = 0; i < race.answers; i++)
            if (!race.out[i]) {
                State s = before;
                put_away(&s, discards[i]);
                play_out(&s);
                race.values[i] = s.scores[s.taker];
            }
    } while (count_deal(&race) > 1 && race.deals < MOST_TRIALS);
    return discards[best_answer(&race)];
}

Cards choose_poignee(const State *known, uint64_t *random, int card)
{
    enum { TRIALS = 400 };
    int seat = known->table.to_act, won = 0;
    Cards shown = poignee_by_rule(known->hands[seat]);
    if (!shown)
        return 0;
    draw_deals(known, random, TRIALS);
    for (int trial = 0; trial < TRIALS; trial++) {
        State s = *known;
        fill_in(&s, random);
        tarot.apply(&s, card);
        play_out(&s);
        won += s.scores[seat] > known->scores[seat];
    }
    return won > 0.55 * TRIALS ? shown : 0;
}
