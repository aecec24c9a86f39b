/* Champion of durak: a search tree over deals of the unseen cards, drawn by what play tells. */
#include "native/bot.h"
#include "search.h"

#include <stdio.h>

/* The answers are taken from the words, so that one is legal whatever the table's options are. */
static void answer(Question *question)
{
    static char texts[MOST_ANSWERS][16];
    uint16_t actions[MOST_ANSWERS];
    Search search = {.random = question->random};
    int listed = 0;
    const char *list = question->count > 2 ? question->words[2] : NULL;
    for (; list && listed < MOST_ANSWERS; list = after(list, ','), listed++) {
        texts[listed][0] = 0;
        sscanf(list, "%15[^,]", texts[listed]);
        actions[listed] = (uint16_t)read_action(texts[listed]);
    }
    int best = 0;
    if (listed > 1 && begin_search(&search, question->count, question->words))
        best = best_answer_of(&search, actions, listed);
    puts(listed ? texts[best] : "-");
}

int main(int argc, char *argv[])
{
    return answer_questions(argc, argv, answer, NULL);
}
