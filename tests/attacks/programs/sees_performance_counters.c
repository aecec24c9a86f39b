// tries: to read the processor's counters of events, which all that runs there moves
// expect: crash
#include <signal.h>
int main(void) {
#ifdef __x86_64__
  unsigned low, high;
  __asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(0));
  return 0;
#else
  raise(SIGSEGV);
#endif
}
