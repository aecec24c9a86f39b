// tries: to make timers until there are no more, each with a signal of the user's set aside
// expect: answer bounded
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int main(void) {
  struct sigevent quiet = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = 34};
  int made = 0, timer;
  while (made < 6000 && syscall(SYS_timer_create, CLOCK_MONOTONIC, &quiet, &timer) == 0) made++;
  if (made < 5000) puts("bounded");
  else printf("%d timers\n", made);
}
