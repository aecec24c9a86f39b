// tries: to take memory in a map that forks share and no heap shows, and to read the map's number
// expect: answer refused
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
enum { SIZE = 1 << 22 };
int main(void) {
  int flags[] = {MAP_SHARED | MAP_ANONYMOUS, MAP_SHARED, MAP_SHARED}, taken = 0;
  int files[] = {-1, open("/dev/zero", O_RDWR), open("/dev/full", O_RDWR)};
  for (int i = 0; i < 3; i++) {
    char *memory = mmap(0, SIZE, PROT_READ | PROT_WRITE, flags[i], files[i], 0);
    if (memory != MAP_FAILED) memset(memory, 7, SIZE), taken++;
  }
  puts(taken ? "taken" : "refused");
}
