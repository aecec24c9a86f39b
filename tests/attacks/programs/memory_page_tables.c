// tries: to take memory for page tables alone, of mappings that hold nothing
// expect: memory
// cpu: 20
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
  for (int i = 0; i < 30; i++)
    if (fork() == 0) {
      long size = 80L << 30;
      volatile char *p = mmap(0, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      for (long j = 0; p != MAP_FAILED && j < size; j += 2 << 20) p[j];
      for (;;) pause();
    }
  wait(0);
}
