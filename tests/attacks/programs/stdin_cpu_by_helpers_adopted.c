// tries: to adopt its helpers' children, so that what they computed is never added up
// protocol: stdin
// expect: timeout, timeout
// detail: computed for more than 0.3 s
// cpu: 0.3
// seconds: 20
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
int main(void) {
  char line[100];
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  while (fgets(line, sizeof line, stdin)) {
    for (int i = 0; i < 60; i++) {
      if (fork() == 0) {
        if (fork() == 0)
          while (clock() < CLOCKS_PER_SEC / 15) {}
        _exit(0);
      }
      usleep(80000);
    }
    puts("S");
    fflush(stdout);
  }
}
