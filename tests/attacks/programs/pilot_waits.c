// tries: to take the ends of the pilot's other children, and those of processes that are not its own
// expect: answer refused
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
  int done = 0, status;
  siginfo_t end = {0};
  if (syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0) == 0) _exit(0);
  usleep(50000);
  int options[] = {__WALL, __WCLONE, __WNOTHREAD | __WALL, WNOHANG, WUNTRACED | WNOHANG};
  for (int i = 0; i < 5; i++)
    for (int pid = -3; pid < 4; pid++) done += waitpid(pid, &status, options[i] | WNOHANG) > 0;
  for (int id = 0; id < 4; id++) {
    done += waitid(P_PID, id, &end, WEXITED | WSTOPPED | WCONTINUED | WNOHANG | WNOWAIT) == 0 && end.si_pid;
    done += waitid(P_PGID, id, &end, WEXITED | WSTOPPED | WCONTINUED | WNOHANG | WNOWAIT) == 0 && end.si_pid;
  }
  done += waitid(P_ALL, 0, &end, WEXITED | WNOHANG | __WALL) == 0 && end.si_pid;
  if (done) printf("%d\n", done);
  else puts("refused");
}
