// tries: to crash, with a line printed before
// expect: crash
// detail: killed by signal 11 (SIGSEGV)
#include <stdio.h>
int main(void) { puts("S"); fflush(stdout); *(volatile int *)0 = 1; }
