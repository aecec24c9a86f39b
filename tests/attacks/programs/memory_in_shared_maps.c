// tries: to take all memory in a map that forks share and no heap shows
// expect: memory
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
int main(void) {
  for (;;) {
    char *p = mmap(0, 1 << 22, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (p != MAP_FAILED) memset(p, 7, 1 << 22);
  }
}
