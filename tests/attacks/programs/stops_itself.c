// tries: to hang in a way that only SIGKILL ends
// expect: timeout
#include <signal.h>
int main(void) { raise(SIGSTOP); for (;;) raise(SIGSTOP); }
