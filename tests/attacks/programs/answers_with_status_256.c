// tries: to end with a status that is 0 only because the rest of it is cut off
// expect: answer S
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void) {
  puts("S");
  fflush(stdout);
  syscall(SYS_exit_group, 0x7fffff00);
}
