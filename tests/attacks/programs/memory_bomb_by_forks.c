// tries: to take all memory with forty small processes
// expect: memory
// cpu: 20
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
  for (int i = 0; i < 40; i++)
    if (fork() == 0) {
      volatile char *p = malloc(12 << 20);
      for (int j = 0; j < 12 << 20; j += 4096) p[j] = i + 1;
      for (;;) pause();
    }
  wait(0);
}
