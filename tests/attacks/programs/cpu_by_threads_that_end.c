// tries: to have its thinking done by threads, each of which ends before it is looked at
// expect: timeout
// detail: computed for more than 0.3 s
// cpu: 0.3
// seconds: 10
#include <pthread.h>
#include <stdio.h>
#include <time.h>
static void *think(void *nothing) {
  struct timespec now = {0};
  while (now.tv_nsec < 5000000) clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return nothing;
}
int main(void) {
  for (int i = 0; i < 120; i++) {
    pthread_t thread;
    pthread_create(&thread, 0, think, 0);
    pthread_join(thread, 0);
  }
  puts("S");
}
