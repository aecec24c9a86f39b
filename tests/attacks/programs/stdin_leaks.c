// tries: to take a little more memory with every answer
// protocol: stdin
// expect: answer S, answer S, memory
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(void) {
  char line[100];
  for (int turn = 1; fgets(line, sizeof line, stdin); turn++) {
    memset(malloc(100 << 20), 7, 100 << 20);
    if (turn == 3) sleep(60);  // until it is noticed
    puts("S");
    fflush(stdout);
  }
}
