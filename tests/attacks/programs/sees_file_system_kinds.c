// tries: to read which kinds of file systems the kernel has loaded, which others can change
// expect: answer refused
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void) {
  int seen = 0;
#ifdef SYS_sysfs
  char name[200];
  seen += (int)syscall(SYS_sysfs, 3) > 0;
  seen += (int)syscall(SYS_sysfs, 1, "proc") >= 0;
  for (int i = 0; i < 50; i++) seen += (int)syscall(SYS_sysfs, 2, i, name) == 0;
#endif
  if (seen) printf("%d\n", seen);
  else puts("refused");
}
