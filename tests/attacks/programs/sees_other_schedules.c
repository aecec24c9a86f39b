// tries: to find other sandboxes' processes by the calls that ask for a process's schedule and groups
// expect: answer refused
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void) {
  int seen = 0;
  struct rlimit limit;
  cpu_set_t set;
  char room[100];
  int has_attributes = 1, has_lists = 1;  // each refusal is told to the pilot, which takes time
  for (int pid = 3; pid < 3000; pid++) {
    if (pid == getpid() || pid == getppid()) continue;
    seen += getpgid(pid) > 0;
    seen += getsid(pid) > 0;
    seen += sched_getscheduler(pid) >= 0;
    seen += sched_getaffinity(pid, sizeof set, &set) == 0;
    if (has_attributes) {
      seen += syscall(SYS_sched_getattr, pid, room, 56, 0) == 0;
      has_attributes = errno != ENOSYS;
    }
    seen += prlimit(pid, RLIMIT_NOFILE, 0, &limit) == 0;
    seen += syscall(SYS_pidfd_open, pid, 0) >= 0;
    errno = 0;
    seen += getpriority(PRIO_PROCESS, pid) != -1 || errno == 0;
    seen += syscall(SYS_ioprio_get, 1, pid) >= 0;
    if (has_lists) {
      seen += syscall(SYS_get_robust_list, pid, room, room + 8) == 0;
      has_lists = errno != ENOSYS;
    }
  }
  if (seen) printf("%d\n", seen);
  else puts("refused");
}
