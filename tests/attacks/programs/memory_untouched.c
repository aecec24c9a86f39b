// tries: to claim a thousand times the memory there is, without touching it
// expect: answer done
#include <stdio.h>
#include <sys/mman.h>
int main(void) {
  for (int i = 0; i < 64; i++)
    mmap(0, 1ul << 40, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  puts("done");
}
