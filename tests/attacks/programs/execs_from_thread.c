// tries: to lose the process that is watched, by a thread that takes its number over
// expect: answer done
#include <pthread.h>
#include <unistd.h>
static void *become(void *x) {
  execl("/bin/echo", "echo", "done", (char *)0);
  return x;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, become, 0);
  for (;;) pause();
}
