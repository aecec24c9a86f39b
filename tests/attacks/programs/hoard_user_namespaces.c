// tries: to make namespaces, which are counted for each user, by every call that makes one
// expect: answer refused
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
  int made = 0;
  unsigned long kinds[] = {CLONE_NEWUSER, CLONE_NEWNET, CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWIPC, CLONE_NEWUTS, CLONE_NEWCGROUP, 0x80};
  for (int i = 0; i < 8; i++) {
    for (int with_user = 0; with_user < 2; with_user++) {
      unsigned long flags = kinds[i] | (with_user ? CLONE_NEWUSER : 0);
      if (kinds[i] != 0x80) {
        int pid = syscall(SYS_clone, flags | SIGCHLD, 0, 0, 0, 0);
        if (pid == 0) _exit(0);
        made += pid > 0;
      }
      unsigned long long arguments[11] = {flags, 0, 0, 0, SIGCHLD};
      int pid = syscall(SYS_clone3, arguments, sizeof arguments);
      if (pid == 0) _exit(0);
      made += pid > 0;
      pid = fork();
      if (pid == 0) _exit(unshare(flags) == 0);
      int status = 0;
      waitpid(pid, &status, 0);
      made += WEXITSTATUS(status);
    }
  }
  const char *files[] = {"user", "mnt", "pid", "net", "uts", "ipc", "cgroup", "time"};
  for (int i = 0; i < 8; i++) {
    char path[40];
    sprintf(path, "/proc/1/ns/%s", files[i]);
    made += setns(open(path, O_RDONLY), 0) == 0;
    sprintf(path, "/proc/self/ns/%s", files[i]);
    made += setns(open(path, O_RDONLY), 0) == 0;
  }
  while (wait(0) > 0) {}
  if (made) printf("%d namespaces\n", made);
  else puts("refused");
}
