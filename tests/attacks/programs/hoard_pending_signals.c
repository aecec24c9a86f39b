// tries: to use up the signals that may wait for a user, none of which it takes
// expect: answer bounded
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
int main(void) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, 0);
  union sigval value = {0};
  int waiting = 0;
  while (waiting < 6000 && sigqueue(getpid(), SIGRTMIN + waiting % 20, value) == 0) waiting++;
  if (waiting < 5000) puts("bounded");
  else printf("%d signals wait\n", waiting);
}
