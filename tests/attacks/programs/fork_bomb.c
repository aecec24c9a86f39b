// tries: to fill the machine with processes
// expect: timeout or memory
#include <unistd.h>
int main(void) { for (;;) fork(); }
