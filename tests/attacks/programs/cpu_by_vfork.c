// tries: to have its thinking done by children that borrow its memory while it waits for them
// expect: timeout
// detail: computed for more than 0.3 s
// cpu: 0.3
// seconds: 10
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
int main(void) {
  for (int i = 0; i < 40; i++) {
    if (vfork() == 0) {
      while (clock() < CLOCKS_PER_SEC / 50) {}
      _exit(0);
    }
    wait(0);
  }
  puts("S");
}
