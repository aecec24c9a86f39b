// tries: to call the kernel by another architecture's numbers, past the filter
// expect: crash
#include <signal.h>
int main(void) {
#ifdef __x86_64__
  int result;
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(20));
  return result > 0 ? 0 : 1;
#else
  raise(SIGSYS);
#endif
}
