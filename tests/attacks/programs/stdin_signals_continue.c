// tries: to think between its turns, continued by realtime signals that helpers have queued for it
// protocol: stdin
// expect: answer S or timeout, answer S or timeout
// cpu: 0.2
// pause: 0.4
// seconds: 20
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
static void heard(int number) { raise(SIGCONT); }
int main(void) {
  union sigval value = {0};
  for (int number = SIGRTMIN; number < SIGRTMIN + 8; number++) signal(number, heard);
  for (int i = 0; i < 3; i++)
    if (fork() == 0)
      while (getppid() > 1) {
        sigqueue(getppid(), SIGRTMIN + i, value);
        sigqueue(getppid(), SIGCONT, value);
        usleep(1000);
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
