/* The main loop of attacks that compute between two questions.

   What a bot computes until it is stopped is charged to its answer, and what it computes before it
   has read the next question is charged to that one. Both answers have a limit of 0.1 s, so more
   than 0.2 s was charged to none, however busy the machine is. */
#include <poll.h>
#include <stdio.h>
#include <time.h>

/* Answer "S", or the time that was computed between two questions if it is over 0.25 s. */
static int think_between_turns(void) {
  char line[100];
  double thought = 0;
  while (fgets(line, sizeof line, stdin)) {
    if (thought < 0.25) puts("S");
    else printf("thought for %f s\n", thought);
    fflush(stdout);
    clock_t begun = clock();
    struct pollfd question = {0, POLLIN, 0};
    while (poll(&question, 1, 0) < 1) thought = (double)(clock() - begun) / CLOCKS_PER_SEC;
  }
  return 0;
}
