// tries: to think between its turns, in a process whose threads are in vfork when it is stopped
// protocol: stdin
// expect: answer S or timeout, answer S or timeout
// cpu: 0.1
// pause: 0.4
// seconds: 20
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
#include "between_turns.h"
static void *wait_in_vfork(void *nothing) {
  for (;;) {
    int pid = vfork();
    if (pid == 0) {
      usleep(5000);
      _exit(0);
    }
    if (pid > 0) waitpid(pid, 0, 0);
  }
}
int main(void) {
  pthread_t thread;
  for (int i = 0; i < 24; i++) pthread_create(&thread, 0, wait_in_vfork, 0);
  return think_between_turns();
}
