// tries: to leave its control group, to change its limits or to start a process in another one
// expect: answer refused
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void) {
  char done[400] = "";
  const char *folders[] = {"/sys/fs/cgroup", "/sys/fs/cgroup/memory", "/sys/fs/cgroup/pids", "/sys/fs/cgroup/freezer", "/sys/fs/cgroup/unified", "/proc/1/root/sys/fs/cgroup", "/dev/cgroup"};
  const char *files[] = {"cgroup.procs", "tasks", "memory.max", "memory.limit_in_bytes", "pids.max", "cgroup.freeze", "freezer.state", "cgroup.kill", "release_agent", "notify_on_release", "cgroup.subtree_control"};
  for (int i = 0; i < 7; i++) {
    for (int j = 0; j < 11; j++) {
      char path[100];
      sprintf(path, "%s/%s", folders[i], files[j]);
      if (open(path, O_WRONLY) >= 0) strcat(strcat(done, path), " ");
    }
    int folder = open(folders[i], O_PATH | O_DIRECTORY);
    unsigned long long arguments[11] = {0x200000000ull, 0, 0, 0, SIGCHLD};
    arguments[10] = folder;
    int pid = syscall(SYS_clone3, arguments, sizeof arguments);
    if (pid == 0) _exit(0);
    if (pid > 0) strcat(done, "clone ");
  }
  puts(*done ? done : "refused");
}
