/* Champion of durak: a search tree over deals of the unseen cards, drawn by what play tells. */
#include "search.h"

#include <stdio.h>

enum { LONGEST_TEXT = 16 };

/* The legal answers are taken from the words, whatever the table's options are. */
static int read_answers(Question *question, char (*texts)[LONGEST_TEXT], uint16_t *actions)
{
    const char *text = question->count > 2 ? question->words[2] : NULL;
    int listed = 0;
    for (; text && listed < MOST_ANSWERS; text = after(text, ','))
        if (sscanf(text, "%15[^,]", texts[listed]) == 1) {
            actions[listed] = (uint16_t)read_action(texts[listed]);
            listed++;
        }
    return listed;
}

static void answer(Question *question)
{
    static Search search;
    char texts[MOST_ANSWERS][LONGEST_TEXT] = {"-"};
    uint16_t actions[MOST_ANSWERS];
    double scores[MOST_ANSWERS] = {0};
    int listed = read_answers(question, texts, actions), best = 0;
    int is_read = begin_search(&search, question);
    if (question->evaluates && is_read)
        evaluate(&search, actions, listed, scores);
    else if (listed > 1 && is_read)
        best = choose(&search, actions, listed);
    if (!question->evaluates)
        puts(texts[best]);
    for (int i = 0; question->evaluates && i < listed; i++)
        printf("%s=%.3f%c", texts[i], scores[i], i + 1 < listed ? ' ' : '\n');
}

int main(int argc, char *argv[])
{
    return answer_questions(argc, argv, answer, NULL);
}
