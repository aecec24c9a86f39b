/* Champion of Bazar Blot: deals the hidden cards as they are likely to lie, solves each deal on
 * open hands, and bids and plays for the best mean score. */
#include "view.h"

#include <stdio.h>

/* The processor's time for an answer. */
#ifndef SECONDS
#define SECONDS .35
#endif

static void answer(Question *question)
{
    static View view;
    start_clock(SECONDS);
    if (!view.solver)
        view.solver = new_blot_solver();
    if (!view.solver || !read_view(&view, question))
        puts("P");
    else if (view.is_bidding)
        say_call(&view);
    else
        say_card(&view);
}

int main(int argc, char *argv[]) { return answer_questions(argc, argv, answer, NULL); }
