/* Asks the parts of the champion of tarot: each line is a part's name and the words of a question,
   and the answer is a line. */

#include "../../bots/tarot/champion/deals.h"
#include "../../bots/tarot/champion/rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 17, DEALS = 20 };

static void answer(const char *part, const Question *q)
{
    Position p = q->taker >= 0 ? table_of(q) : new_position(0, 0);
    Stakes stakes = {q->contract, q->poignees, q->chelem, q->defence_chelem};
    if (!strcmp(part, "bid")) {
        printf("%s", bid_name(contract_worth(hand_value(q->hand))));
    } else if (!strcmp(part, "discard")) {
        print_cards(discard_by_rule(q->hand, q->legal));
    } else if (!strcmp(part, "may-go")) {
        print_cards(may_be_put_away(q->hand));
    } else if (!strcmp(part, "poignee")) {
        print_cards(poignee_by_rule(q->hand));
    } else if (!strcmp(part, "card")) {
        p.hands[q->seat] = q->hand;
        p.discard = q->discard;
        print_card(card_by_rule(&p));
    } else if (!strcmp(part, "legal")) {
        p.hands[q->seat] = q->hand;
        print_cards(legal(&p));
    } else if (!strcmp(part, "price")) {        /* all is played, and `discard` is what counts */
        count_aside(&p, q->discard);
        printf("%d", price(&p, &stakes));
    } else {                                    /* deals: places divided by `/`, deals by blanks */
        const Pool *pool = deal_pool(q, DEALS);
        for (int i = 0; i < DEALS; i++)
            for (int place = 0; place < PLACES; place++) {
                print_cards(pool->deals[i].at[place]);
                putchar(place < PLACES - 1 ? '/' : ' ');
            }
    }
    putchar('\n');
}

int main(void)
{
    char *line = NULL, *words[WORDS];
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        int count = 0;
        Question q;
        for (char *w = strtok(line, " \n"); w && count < WORDS; w = strtok(NULL, " \n"))
            words[count++] = w;
        q = read_question(words + 1);
        answer(words[0], &q);
    }
    free(line);
    return 0;
}
