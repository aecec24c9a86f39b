/* Asks the parts of the champion of tarot: each line is a part's name and the words of a question,
 * and the answer is a line. */
#include "champion.h"

#include <stdio.h>

/* Play by rule depends on what the seat knows, not on how the hidden cards lie. */
static void answer(Question *question)
{
    enum { DEALS = 20 };
    const char *part = question->words[0];
    State known = {0}, s;
    tarot.read(&known, question->count - 1, question->words + 1);
    s = known;
    int seat = known.table.to_act;
    Hand hand = known.hands[seat];
    if (!strcmp(part, "bid")) {
        print_bid(PASS + bid_by_rule(hand_value(hand)) - PASSED);
    } else if (!strcmp(part, "discard")) {
        print_cards(discard_by_rule(hand));
    } else if (!strcmp(part, "poignee")) {
        print_cards((Hand){0, poignee_by_rule(hand)});
    } else if (!strcmp(part, "card")) {
        draw_deals(&known, &question->random, 1);
        fill_in(&s, &question->random);
        print_cards(one_card(card_by_rule(&s)));
    } else { /* deals: hands divided by `/`, the cards aside in place of the own one */
        draw_deals(&known, &question->random, DEALS);
        for (int i = 0; i < DEALS; i++) {
            s = known;
            fill_in(&s, &question->random);
            s.hands[seat] = takes_dog(&known) ? without(s.discard, known.discard) : s.dog;
            for (int other = 0; other < 3; other++) {
                print_cards(s.hands[other]);
                putchar(other < 2 ? '/' : ' ');
            }
        }
    }
    putchar('\n');
}

int main(int argc, char *argv[]) { return answer_questions(argc, argv, answer, NULL); }
