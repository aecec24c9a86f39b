// tries: to take a little more memory with every answer
// protocol: stdin
// expect: answer S, answer S, memory
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  char line[100];
  while (fgets(line, sizeof line, stdin)) {
    memset(malloc(100 << 20), 7, 100 << 20);
    puts("S");
    fflush(stdout);
  }
}
