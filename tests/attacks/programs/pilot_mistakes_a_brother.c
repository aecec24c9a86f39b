// tries: to have the pilot take the end of a brother for its own: its children by another way
// expect: answer done
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void) {
  int signals[] = {SIGCHLD, 0, SIGUSR1, SIGKILL, SIGSTOP, SIGCONT};
  for (int i = 0; i < 20; i++)
    if (syscall(SYS_clone, CLONE_PARENT | signals[i % 6], 0, 0, 0, 0) == 0) {
      setsid();
      if (i % 3 == 0) kill(getpid(), SIGSEGV);
      if (i % 3 == 1) close(1);
      _exit(7);
    }
  usleep(100000);
  write(1, "done\n", 5);
  _exit(0);
}
