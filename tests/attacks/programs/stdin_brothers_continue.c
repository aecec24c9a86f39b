// tries: to think between its turns in a brother of its own, who is the pilot's child as it is
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
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int main(void) {
  int me = getpid();
  for (int i = 0; i < 3; i++)
    if (syscall(SYS_clone, CLONE_PARENT | (i ? 0 : SIGCHLD), 0, 0, 0, 0) == 0) {
      setsid();
      for (;;) kill(me, SIGCONT), usleep(200);
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
