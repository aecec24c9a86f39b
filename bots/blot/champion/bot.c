/* Champion of Bazar Blot: deals the hidden cards as they are likely to lie, solves each deal on
 * open hands, and bids and plays for the best mean score. */
#include "view.h"

#include <stdio.h>

/* No further deal is solved for an answer once the solver has searched so many leads. */
#ifndef NODES
#define NODES 50000
#endif

static void answer(Question *question)
{
    static View view;
    if (!view.solver)
        view.solver = new_blot_solver();
    if (!view.solver || !read_view(&view, question)) {
        puts("P");
        return;
    }
    view.most_searched = searched(view.solver) + NODES;
    if (view.is_bidding)
        say_call(&view);
    else
        say_card(&view);
    putchar('\n');
}

int main(int argc, char *argv[]) { return answer_questions(argc, argv, answer, NULL); }
