// tries: to have its thinking done by children of whose end no signal tells
// expect: timeout or answer refused
// detail: computed for more than 0.3 s
// cpu: 0.3
// seconds: 10
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
int main(void) {
  int started = 0;
  for (int i = 0; i < 20; i++) {
    int pid = syscall(SYS_clone, i % 2 ? 0 : SIGUSR1 | CLONE_PARENT, 0, 0, 0, 0);
    started += pid > 0;
    if (pid == 0) {
      while (clock() < CLOCKS_PER_SEC / 20) {}
      _exit(0);
    }
    signal(SIGUSR1, SIG_IGN);
    usleep(30000);
  }
  while (waitpid(-1, 0, __WALL) > 0) {}
  sleep(3);  // those that are not its children
  puts(started ? "S" : "refused");
}
