// tries: to read the numbers of /tmp's nameless files in its own maps, where stat is not needed
// expect: answer fresh
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
static long number(void) {
  int file = open("/tmp", O_TMPFILE | O_RDWR, 0600);
  if (file < 0) return 0;
  ftruncate(file, 4096);
  void *page = mmap(0, 4096, PROT_READ, MAP_SHARED, file, 0);
  char line[500];
  long found = 0;
  FILE *maps = fopen("/proc/self/maps", "r");
  while (maps && fgets(line, sizeof line, maps))
    if (strstr(line, " /tmp/#")) sscanf(line, "%*s %*s %*s %*s %ld", &found);
  if (maps) fclose(maps);
  munmap(page, 4096);
  close(file);
  return found;
}
int main(void) {
  long first = number();
  if (first < 50) puts("fresh");
  else printf("%ld\n", first);
  for (int i = 0; i < 100; i++) close(open("/tmp", O_TMPFILE | O_RDWR, 0600));
}
