// tries: to think between its turns, continued by the kernel's own timers
// protocol: stdin
// expect: answer S or timeout, answer S or timeout
// cpu: 0.2
// pause: 0.4
// seconds: 20
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
int main(void) {
  clockid_t clocks[] = {CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_BOOTTIME};
  for (int i = 0; i < 3; i++) {
    struct sigevent wake = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGCONT};
    struct itimerspec often = {{0, 500000}, {0, 500000}};
    timer_t timer;
    if (timer_create(clocks[i], &wake, &timer) == 0) timer_settime(timer, 0, &often, 0);
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
    while (poll(&question, 1, 0) == 0) thought = (double)(clock() - begun) / CLOCKS_PER_SEC;
  }
}
