/* Champion of Bazar Blot: deals the hidden cards as they are likely to lie, solves each deal on
 * open hands, and bids and plays for the best mean score. */
#include "view.h"

#include <stdio.h>

/* No further deal is solved for an answer, or for an evaluation, once the solver has searched so
 * many leads. */
#ifndef LEADS_SEARCHED
#define LEADS_SEARCHED 200000
#endif
enum { LEADS_EVALUATED = 50000 };

static void answer(Question *question)
{
    static View view;
    if (!view.solver)
        view.solver = new_blot_solver();
    if (!view.solver || !read_view(&view, question)) {
        puts("P");
        return;
    }
    view.most_searched
        = searched(view.solver) + (question->evaluates ? LEADS_EVALUATED : LEADS_SEARCHED);
    if (view.is_bidding)
        say_call(&view);
    else
        say_card(&view);
    putchar('\n');
}

int main(int argc, char *argv[]) { return answer_questions(argc, argv, answer, NULL); }
