// tries: to have its thinking done at once by many short helpers, whose end it ignores
// expect: timeout
// needs: groups
// detail: computed for more than 0.3 s
// cpu: 0.3
// seconds: 10
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
int main(void) {
  signal(SIGCHLD, SIG_IGN);
  for (int i = 0; i < 150; i++) {
    if (fork() == 0) {
      while (clock() < CLOCKS_PER_SEC / 250) {}
      _exit(0);
    }
    if (i % 4 == 3) while (wait(0) > 0) {}
  }
  while (wait(0) > 0) {}
  puts("S");
}
