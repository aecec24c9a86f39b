// tries: to take all memory while another bot is asked
// protocol: stdin
// expect: answer S, memory
// freely: answer S, memory
// pause: 0.3
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(void) {
  getchar();
  puts("S");
  fflush(stdout);
  for (;;) {
    char *p = malloc(1 << 22);
    if (p) memset(p, 7, 1 << 22);
    usleep(20000);  // so that it has not taken all before it is stopped
  }
}
