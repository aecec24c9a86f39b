// tries: to take the kernel's page faults into its own hands, and to hold the kernel up in them
// expect: answer refused
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void) {
  int made = open("/dev/userfaultfd", O_RDWR) >= 0;
  int flags[] = {0, O_CLOEXEC, O_NONBLOCK, 1, 1 | O_CLOEXEC};
  for (int i = 0; i < 5; i++) made += syscall(SYS_userfaultfd, flags[i]) >= 0;
  if (made) printf("%d\n", made);
  else puts("refused");
}
