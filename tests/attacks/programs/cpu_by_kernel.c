// tries: to have the kernel do its work, in calls that compute for long
// expect: timeout
// detail: computed for more than 0.3 s
// cpu: 0.3
// seconds: 10
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(void) {
  int random = open("/dev/urandom", O_RDONLY);
  char *room = malloc(8 << 20);
  for (int i = 0; i < 100; i++) read(random, room, 8 << 20);
  puts("S");
}
