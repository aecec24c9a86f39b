// tries: to take memory for mappings without number, and to make it long to count them
// expect: timeout or memory
// cpu: 20
// seconds: 10
#include <sys/mman.h>
#include <unistd.h>
int main(void) {
  long size = 60000L * 4096;
  for (int i = 0; i < 56; i++)
    if (fork() == 0) {
      char *p = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      for (long j = 0; j < size; j += 2 * 4096) mprotect(p + j, 4096, PROT_READ), p[j + 4096] = 1;
      for (;;) munmap(mmap(0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 4096);
    }
  for (;;) pause();
}
