// tries: to think between its turns, in a process whose threads are in vfork when it is stopped
// protocol: stdin
// expect: answer S or timeout, answer S or timeout
// cpu: 0.2
// pause: 0.4
// seconds: 20
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
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
  char line[100];
  double thought = 0;
  for (;;) {
    if (!fgets(line, sizeof line, stdin)) return 0;
    if (thought < 0.25) puts("S");
    else printf("thought for %f s\n", thought);
    fflush(stdout);
    clock_t begun = clock();
    struct pollfd question = {0, POLLIN, 0};
    while (poll(&question, 1, 0) < 1) thought = (double)(clock() - begun) / CLOCKS_PER_SEC;
  }
}
