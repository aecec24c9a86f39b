// tries: to have its thinking done by the children of helpers that have ended
// expect: timeout
// detail: computed for more than 0.3 s
// cpu: 0.3
// seconds: 10
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
int main(void) {
  int ends[2];
  pipe(ends);  // open as long as any of them lives
  for (int i = 0; i < 20; i++) {
    if (fork() == 0) {
      if (fork() == 0)
        while (clock() < CLOCKS_PER_SEC / 20) {}
      _exit(0);
    }
    wait(0);
    usleep(20000);
  }
  close(ends[1]);
  char nothing;
  read(ends[0], &nothing, 1);
  puts("S");
}
