// tries: to fill the machine with processes that wait for each other's end
// expect: timeout or memory
#include <unistd.h>
static void deeper(void) {
  for (;;)
    if (vfork() == 0) deeper();
}
int main(void) { deeper(); }
