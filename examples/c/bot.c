/* A bot for spades on the games in C: it plays every answer out at random on a few hundred deals of
 * the cards that it can't see, and takes the one that comes to most. */
#include "native/bot.h"
#include "native/spades.h"

#include <stdio.h>

enum { DEALS = 400 };

/* All cards that the seat to act has not seen; the places are the seats after its own. */
static void find_unseen(const State *s, Unseen *unseen)
{
    int seat = s->table.to_act;
    Cards cards = (bit(CARDS) - 1) & ~s->hands[seat];
    for (int place = 0; place < 3; place++)
        unseen->room[place] = TRICKS;
    for (int i = 0; i < s->played; i++) {
        cards &= ~bit(s->order[i]);
        if (s->by[i] != seat)
            unseen->room[(s->by[i] - seat + 3) % 4]--;
    }
    unseen->cards = list_set(cards, unseen->card, 0);
    memset(unseen->may, 7, sizeof unseen->may); /* bits: it may lie in all three */
    count_ways(unseen);
}

/* By how much the side is ahead after the round. */
static int play_out(State *s, int side, uint64_t *random)
{
    uint16_t legal[MOST_ACTIONS];
    while (s->table.to_act >= 0) /* until the next round is to be dealt, or the game is over */
        spades.apply(s, legal[below(random, spades.legal(s, legal))]);
    return s->scores[side] - s->scores[!side];
}

static int best_action(const State *s, uint64_t random)
{
    static Unseen unseen;
    static Race race;
    uint16_t legal[MOST_ACTIONS];
    uint8_t places[MOST_UNSEEN];
    int seat = s->table.to_act;
    begin_race(&race, spades.legal(s, legal), 50);
    find_unseen(s, &unseen);
    for (int deal = 0; deal < DEALS && race.in > 1; deal++) {
        State dealt = *s;
        deal_unseen(&unseen, &random, places);
        for (int i = 0; i < unseen.cards; i++)
            dealt.hands[(seat + 1 + places[i]) % 4] |= bit(unseen.card[i]);
        for (int i = 0; i < race.answers; i++) {
            State next = dealt;
            if (race.out[i])
                continue;
            spades.apply(&next, legal[i]);
            race.values[i] = play_out(&next, seat % 2, &random);
        }
        count_deal(&race);
    }
    return legal[best_answer(&race)];
}

static void answer(Question *question)
{
    State s = {0};
    int action = LOOK; /* at the cards, before the bids */
    if (spades.read(&s, question->count, question->words) && s.phase >= BID)
        action = s.phase == PASS ? lowest(s.hands[s.table.to_act])
                                 : best_action(&s, question->random);
    if (action == LOOK)
        puts("-");
    else if (action >= BIDS)
        printf("%d\n", action - BIDS);
    else
        printf("%c%c\n", RANKS[action % 13], "CDHS"[action / 13]);
}

int main(int argc, char *argv[]) { return answer_questions(argc, argv, answer, NULL); }
