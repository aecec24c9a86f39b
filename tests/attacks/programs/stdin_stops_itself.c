// tries: to hang in a way that only SIGKILL ends
// protocol: stdin
// expect: timeout, timeout
#include <signal.h>
int main(void) { for (;;) raise(SIGSTOP); }
