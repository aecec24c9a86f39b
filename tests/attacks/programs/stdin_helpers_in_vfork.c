// tries: to compute after its answer, in helpers that are born while everybody is being stopped
// protocol: stdin
// expect: answer S or timeout, answer S or timeout, answer S or timeout
// cpu: 0.1
// pause: 0.4
// seconds: 20
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <sys/wait.h>
#include <unistd.h>
static int shared(void) {
  int file = open("/tmp/shared", O_RDWR | O_CREAT, 0600);
  ftruncate(file, 1 << 20);
  unlink("/tmp/shared");
  return file;
}
static volatile int *idle;
static void *give_birth(void *nothing) {
  for (;;) {
    int pid = vfork();
    if (pid == 0) {
      if (*idle)
        for (volatile int i = 0; i < 200000; i++) {}
      else
        usleep(1000);
      _exit(0);
    }
    if (pid > 0) waitpid(pid, 0, 0);
  }
}
static double computed(int who) {
  struct rusage usage;
  getrusage(who, &usage);
  return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec +
         (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}
/* As in between_turns.h, but with the time of its helpers. */
static double by_all(void) { return computed(RUSAGE_SELF) + computed(RUSAGE_CHILDREN); }
int main(void) {
  idle = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, shared(), 0);
  pthread_t thread;
  for (int i = 0; i < 28; i++) pthread_create(&thread, 0, give_birth, 0);
  double before = by_all();
  char line[100];
  while (fgets(line, sizeof line, stdin)) {
    *idle = 0;
    double thought = by_all() - before;
    if (thought < 0.25) puts("S");
    else printf("thought for %f s\n", thought);
    fflush(stdout);
    before = by_all();
    *idle = 1;
  }
}
