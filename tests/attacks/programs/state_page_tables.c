// tries: to read the kernel's marks of all pages, its own among them
// expect: answer refused
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int main(void) {
  char done[400] = "", byte;
  const char *machines[] = {"/proc/kpageflags", "/proc/kpagecount", "/proc/kpagecgroup", "/sys/kernel/mm/page_idle/bitmap"};
  for (int i = 0; i < 4; i++)
    if (read(open(machines[i], O_RDONLY), &byte, 1) == 1) strcat(strcat(done, machines[i]), " ");
  puts(*done ? done : "refused");
}
