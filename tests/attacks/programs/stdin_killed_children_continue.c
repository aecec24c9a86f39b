// tries: to think between its turns, continued by the ends of children that the kernel's timers kill
// protocol: stdin
// expect: answer S or timeout, answer S or timeout
// cpu: 0.2
// pause: 0.4
// seconds: 20
#define _GNU_SOURCE
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int main(void) {
  for (int i = 0; i < 20; i++)
    if (syscall(SYS_clone, SIGCONT, 0, 0, 0, 0) == 0) {
      struct sigevent death = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL};
      struct itimerspec later = {{0, 0}, {0, 20000000 * (i + 1)}};
      timer_t timer;
      prctl(PR_SET_PDEATHSIG, SIGCONT, 0, 0, 0);
      if (timer_create(CLOCK_MONOTONIC, &death, &timer) == 0) timer_settime(timer, 0, &later, 0);
      for (;;) pause();
    }
  char line[100];
  double thought = 0;
  for (;;) {
    if (!fgets(line, sizeof line, stdin)) return 0;
    if (thought < 0.25) puts("S");
    else printf("thought for %f s\n", thought);
    fflush(stdout);
    clock_t begun = clock();
    struct pollfd question = {0, POLLIN, 0};
    while (poll(&question, 1, 0) < 1) thought = (double)(clock() - begun) / CLOCKS_PER_SEC;
  }
}
