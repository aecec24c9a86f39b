// tries: to look ended, with a thread that goes on
// expect: timeout
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static void *stay(void *x) { for (;;) pause(); return x; }
int main(void) {
  pthread_t thread;
  puts("S");
  fflush(stdout);
  pthread_create(&thread, 0, stay, 0);
  pthread_exit(0);
}
