// tries: to have its memory handed to the machine's handler of crashes, as big as it can be
// expect: crash
// detail: killed by signal 11 (SIGSEGV)
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void) {
  struct rlimit none = {0, 0}, set = {0, 1};
  int done = setrlimit(RLIMIT_CORE, &none) == 0;
  done += prlimit(0, RLIMIT_CORE, &none, 0) == 0;
  done += prlimit(getpid(), RLIMIT_CORE, &none, 0) == 0;
  done += syscall(SYS_prlimit64, 0, RLIMIT_CORE | 1ull << 32, &none, 0) == 0;
  FILE *kinds = fopen("/proc/self/coredump_filter", "w");
  if (kinds) fputs("0x1ff", kinds), fclose(kinds);
  prctl(PR_SET_DUMPABLE, 1);
  getrlimit(RLIMIT_CORE, &set);
  if (done || set.rlim_cur != 1) return puts("lowered"), 0;
  *(volatile int *)0 = 0;
}
