// tries: to fill the machine with threads
// expect: timeout or memory
#include <pthread.h>
#include <unistd.h>
static void *spin(void *x) { for (;;) pause(); return x; }
int main(void) { pthread_t t; for (;;) if (pthread_create(&t, 0, spin, 0)) usleep(1000); }
