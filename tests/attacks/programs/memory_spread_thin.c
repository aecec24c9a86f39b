// tries: to have the pilot killed for memory, as the largest of many small processes
// expect: memory
// cpu: 20
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
  for (int i = 0; i < 62; i++)
    if (fork() == 0) {
      volatile char *p = malloc(5 << 20);
      for (int j = 0; j < 5 << 20; j += 4096) p[j] = 1;
      for (;;) pause();
    }
  wait(0);
}
