// tries: to be in a wait that no stop ends, and that outlives its game
// protocol: stdin
// expect: answer S, timeout
#include <stdio.h>
#include <unistd.h>
int main(void) {
  char line[100];
  fgets(line, sizeof line, stdin);
  puts("S");
  fflush(stdout);
  if (vfork() == 0)
    for (;;) pause();
}
