// tries: to call the kernel by the numbers of x32, past the filter
// expect: crash
#include <signal.h>
#include <unistd.h>
int main(void) {
#ifdef __x86_64__
  return syscall(0x40000000 + 39) > 0 ? 0 : 1;
#else
  raise(SIGSYS);
#endif
}
